import type { Position } from '../../../../base/positions.ts';
import type { Target } from '../../addressing.ts';

export interface TypeNode {
  name: string;
  kind: string;
  path: string;
  position: Position;
  /** How it hangs together with the type it was reached from. */
  edge?: 'extends' | 'implements' | 'fits';
  children: TypeNode[];
}

/** Where the edges of a type hierarchy come from. */
export interface TypeSource {
  find(target: Target): Promise<TypeNode | undefined>;
  supertypes(node: TypeNode): Promise<TypeNode[]>;
  subtypes(node: TypeNode): Promise<TypeNode[]>;
}
