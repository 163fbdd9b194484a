import { dirname, join, resolve } from 'node:path';
import type { EventReader, TestEvent } from '../../tests/model.ts';
import { goEvent } from './goEvent.ts';
import type { GoFunction } from './goSource.ts';

/** Reads `go test -list`: names of compiled packages, with where the source has them. */
export class GoList implements EventReader {
  readonly #functions: readonly GoFunction[];
  readonly #folder: string;

  constructor(functions: readonly GoFunction[], folder: string) {
    this.#functions = functions;
    this.#folder = folder;
  }

  line(text: string): TestEvent[] {
    const { packageName = '', output = '' } = goEvent(text) ?? {};
    const place = /^(\S.*?\.go):(\d+)(?::\d+)?: (.*)/.exec(output);
    if (place !== null) {
      const [, file = '', line, message = ''] = place;
      return [
        {
          type: 'problem',
          problem: { kind: 'collection', file: resolve(this.#folder, file), line: Number(line), message },
        },
      ];
    }
    const name = /^((?:Test|Fuzz|Example)\w*)$/.exec(output.trim())?.[1];
    if (name === undefined) return [];
    const source = this.#functions.find((each) => each.name === name && packageName.endsWith(this.#inside(each.file)));
    const at = source === undefined ? {} : { file: source.file, line: source.line };
    return [{ type: 'collected', id: `${packageName} ${name}`, test: { suite: [], name, ...at } }];
  }

  /** The end that the import path of a file's package must have. */
  #inside(file: string): string {
    return join('/', dirname(file).slice(this.#folder.length)).replace(/\/$/, '');
  }
}
