import type { Node } from 'acorn';
import { type LexicalScope, lexicalScopes, scopesAt } from '../scripts/lexicalScopes.ts';

/** A variable of the text: its name and where it is declared. */
export interface Variable {
  cell: string;
  name: string;
  declaredAt: number;
  scope: LexicalScope;
}

/** Which variable a name means where it stands. */
export class Scopes {
  readonly root: LexicalScope;
  readonly #counts = new Map<string, number>();

  constructor(program: Node) {
    this.root = lexicalScopes(program);
    this.#count(this.root);
  }

  resolve(name: string, offset: number): Variable | undefined {
    const scope = scopesAt(this.root, offset).find((each) => each.declared.has(name));
    if (scope === undefined) return undefined;
    const declaredAt = scope.declared.get(name) ?? 0;
    return { cell: `${name}:${declaredAt}`, name, declaredAt, scope };
  }

  /** Whether the whole text has one thing of that name. */
  isUnique(name: string): boolean {
    return this.#counts.get(name) === 1;
  }

  #count(scope: LexicalScope): void {
    for (const name of scope.declared.keys()) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    for (const inner of scope.inner) this.#count(inner);
  }
}
