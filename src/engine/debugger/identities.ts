/**
 * Objects that appear more than once are numbered by those who draw them: `#1 [1, 2]`. Which of them a reader sees is decided later, so
 * that a number may be left alone.
 */

/** The text without numbers, for comparing: whether another name for it is in sight says nothing about an object. */
export function withoutNumbers(text: string): string {
  return text.replace(quotedOrNumber, (found) => (found.startsWith('#') ? '' : found));
}

/** Numbers that stand only once in all of the texts say nothing, and go; one without a value stands for what is opened before it. */
export function pairedNumbers<T extends { value: string }>(variables: readonly T[]): T[] {
  const times = new Map<string, number>();
  for (const { value } of variables)
    for (const [found] of value.matchAll(quotedOrNumber)) times.set(found.trim(), (times.get(found.trim()) ?? 0) + 1);
  return variables.map((variable) => {
    const value = variable.value.replace(quotedOrNumber, (found) =>
      /^#.* $/.test(found) && times.get(found.trim()) === 1 ? '' : found,
    );
    return value === variable.value ? variable : { ...variable, value };
  });
}

/** A text that was cut may end inside a string. */
const quotedOrNumber = /"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$)|(?<![\w$#])#\d+(?: |(?=[,\])}]|$))/g;
