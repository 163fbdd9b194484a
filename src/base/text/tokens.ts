const longestCounted = 200_000;

/**
 * About how many tokens a model reads in this text (within a fifth of o200k on code and JSON, up to a third high on prose). The real tokenizer
 * would cost every process tens of megabytes, for a number that is only shown to people.
 */
export function estimateTokens(text: string): number {
  const counted = text.slice(0, longestCounted);
  let tokens = 0;
  const pieces = /[^\r\nA-Za-z\d]?[A-Z]*[a-z]+|[^\r\nA-Za-z\d]?[A-Z]+|\d{1,3}|\s+(?=\s|$)|\s|[^\sA-Za-z\d]{1,3}/g;
  // Testing makes no objects, and every answer has hundreds of pieces.
  for (let start = 0; pieces.test(counted); start = pieces.lastIndex) {
    const length = pieces.lastIndex - start;
    const code = counted.charCodeAt(pieces.lastIndex - 1);
    if (code > 0x7f) tokens += length;
    else tokens += length > 11 && isLetter(code) ? Math.ceil(length / 6) : 1;
  }
  return counted.length === 0 ? 0 : Math.round((tokens * text.length) / counted.length);
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
