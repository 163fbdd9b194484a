import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** What came of each attempt; kept in a file when one is given, so that the next run goes on from there. */
export class Outcomes {
  #known = new Map();
  #file;
  #seed;

  constructor(file, seed) {
    this.#file = file;
    this.#seed = seed;
    if (file === undefined || !existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const { key, outcome, seed: itsSeed } = JSON.parse(line);
      if (itsSeed === seed) this.#known.set(key, outcome);
    }
  }

  get(key) {
    return this.#known.get(key);
  }

  add(key, outcome) {
    this.#known.set(key, outcome);
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify({ seed: this.#seed, key, outcome })}\n`);
  }

  of(kind) {
    return [...this.#known].filter(([key]) => key.split(' ')[1] === kind).map(([, outcome]) => outcome);
  }
}
