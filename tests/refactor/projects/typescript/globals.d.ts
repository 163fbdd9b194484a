declare const console: { log(...values: unknown[]): void };
declare module 'node:test' {
  export function test(name: string, run: () => unknown): void;
}
declare module 'node:assert/strict' {
  export function deepEqual(actual: unknown, expected: unknown): void;
}
declare namespace JSX {
  interface IntrinsicElements {
    p: { id?: string };
    b: { id?: string };
  }
  type Element = unknown;
}
declare function element(...parts: unknown[]): unknown;
