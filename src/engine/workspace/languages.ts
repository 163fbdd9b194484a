/** Languages by file extension, for counting what a project is made of. */
const extensions: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  mts: 'TypeScript',
  cts: 'TypeScript',
  js: 'JavaScript',
  jsx: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  py: 'Python',
  pyi: 'Python',
  go: 'Go',
  rs: 'Rust',
  java: 'Java',
  kt: 'Kotlin',
  kts: 'Kotlin',
  scala: 'Scala',
  groovy: 'Groovy',
  c: 'C',
  h: 'C',
  cc: 'C++',
  cpp: 'C++',
  cxx: 'C++',
  hpp: 'C++',
  hh: 'C++',
  cs: 'C#',
  rb: 'Ruby',
  php: 'PHP',
  swift: 'Swift',
  dart: 'Dart',
  lua: 'Lua',
  ex: 'Elixir',
  exs: 'Elixir',
  sh: 'Shell',
  bash: 'Shell',
  vue: 'Vue',
  svelte: 'Svelte',
  html: 'HTML',
  css: 'CSS',
  scss: 'CSS',
  sql: 'SQL',
};

export function languageOf(path: string): string | undefined {
  return extensions[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
}

/** How many files of each language there are, most first. */
export function countLanguages(files: Iterable<string>): { language: string; files: number }[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const language = languageOf(file);
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .map(([language, count]) => ({ language, files: count }))
    .sort((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1));
}
