export default function parse(text: string): Options {
  const [key = 'none', value] = text.split('=');
  const options: Options = { key, value, 'max-size': text.length };
  return options;
}

export interface Options {
  key: string;
  value: string | undefined;
  'max-size': number;
}

export const defaults = parse('a=b');

export function describe({ key, value: shown = '-' }: Options): Record<string, string> {
  const size = `${defaults['max-size']}`;
  return { key, shown, size };
}

export const fallback = 'none';
export const { key: firstKey, value: firstValue } = defaults;
