/** What a scratch file of a language is called and run with. */
export interface ScratchLanguage {
  /** By the names that people write. */
  names: readonly string[];
  extension: string;
  /** As run configurations name it; absent for what is not run. */
  runs?: 'node' | 'python' | 'go' | 'shell';
}

export const scratchLanguages: readonly ScratchLanguage[] = [
  { names: ['javascript', 'js', 'node'], extension: 'js', runs: 'node' },
  { names: ['mjs', 'esm'], extension: 'mjs', runs: 'node' },
  { names: ['cjs', 'commonjs'], extension: 'cjs', runs: 'node' },
  { names: ['typescript', 'ts'], extension: 'ts', runs: 'node' },
  { names: ['python', 'py'], extension: 'py', runs: 'python' },
  { names: ['go', 'golang'], extension: 'go', runs: 'go' },
  { names: ['shell', 'sh', 'bash'], extension: 'sh', runs: 'shell' },
  { names: ['rust', 'rs'], extension: 'rs' },
  { names: ['java'], extension: 'java' },
  { names: ['c'], extension: 'c' },
  { names: ['cpp', 'c++'], extension: 'cpp' },
  { names: ['tsx'], extension: 'tsx' },
  { names: ['jsx'], extension: 'jsx' },
  { names: ['json'], extension: 'json' },
  { names: ['yaml', 'yml'], extension: 'yaml' },
  { names: ['sql'], extension: 'sql' },
  { names: ['html'], extension: 'html' },
  { names: ['css'], extension: 'css' },
  { names: ['markdown', 'md'], extension: 'md' },
  { names: ['text', 'txt'], extension: 'txt' },
];

export function languageNamed(name: string): ScratchLanguage | undefined {
  const wanted = name.toLowerCase().replace(/^\./, '');
  return scratchLanguages.find(({ names }) => names.includes(wanted));
}

export function languageOfScratch(file: string): ScratchLanguage | undefined {
  const extension = file.slice(file.lastIndexOf('.') + 1);
  return scratchLanguages.find((language) => language.extension === extension);
}
