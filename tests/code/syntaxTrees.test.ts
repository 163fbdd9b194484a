import { beforeAll, describe, expect, it } from 'vitest';
import { LineIndex } from '../../src/base/positions.ts';
import type { OutlineSymbol } from '../../src/engine/code/model.ts';
import { syntaxQueries } from '../../src/engine/code/textual/syntaxQueries.ts';
import { SyntaxTrees } from '../../src/engine/code/textual/syntaxTrees.ts';
import { grammars, type GrammarId } from '../../src/engine/provision/engines/servers/grammars.ts';
import { Provision } from '../../src/engine/provision/provision.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

/** A text of each language and what its syntax tree must tell: kind, name and lines, nested by indentation; then the literals. */
const samples: Readonly<Record<GrammarId, { source: string; outline: string; text?: string[] }>> = {
  go: {
    source:
      'package main\n\n// Stack is\ntype Stack[T any] struct {\n\titems []T\n\tA, B string `json:"x"`\n}\ntype Reader interface{ Read(p []byte) int }\ntype ID int\nconst (\n\tC = iota\n\tD\n)\nfunc (s *Stack[T]) Push(item T) {\n\tlocal := "str"\n}\nfunc main() {}\n',
    outline:
      'struct Stack 4-7\n field items 5\n field A 6\n field B 6\ninterface Reader 8\n method Read 8\ntype ID 9\nconstant C 11\nconstant D 12\nmethod Stack/Push 14-16\nfunction main 17',
    text: ['// Stack is', '`json:"x"`', '"str"'],
  },
  rust: {
    source:
      'mod inner { pub fn x() {} }\npub struct P<T> { pub a: T }\nenum E { A, B(i32) }\ntrait Tr { const K: i32; fn m(&self) -> i32; }\nimpl<T> Tr for P<T> {\n  fn m(&self) -> i32 { println!("{}", 1); let q = 2; 1 }\n}\nmacro_rules! mm { () => {} }\nconst Q: char = \'q\'; /* c */\n',
    outline:
      'module inner 1\n function x 1\nstruct P 2\n field a 2\nenum E 3\n enum member A 3\n enum member B 3\ntrait Tr 4\n constant K 4\n method m 4\nimplementation P 5-7\n method m 6\nmacro mm 8\nconstant Q 9',
    text: ['"{}"', "'q'", '/* c */'],
  },
  c: {
    source:
      '#include <stdio.h>\n#define MAX 3\ntypedef struct { int a; } TD;\nenum E { X, Y };\nstatic const char *nm = "x";\nint *fn(int a) { int local = 1; return 0; }\nvoid proto(int a);\n',
    outline:
      'macro MAX 2\ntype TD 3\n field a 3\nenum E 4\n enum member X 4\n enum member Y 4\nvariable nm 5\nfunction fn 6\nfunction proto 7',
    text: ['<stdio.h>', '"x"'],
  },
  cpp: {
    source:
      'namespace ns {\nclass K : public Base {\n public:\n  K();\n  ~K();\n  int m(int x) const;\n  int f_ = 2;\n  enum class E { X };\n  template <class T> T g(T t) { return t; }\n};\n}\nint ns::K::m(int x) const { return x; }\nusing Al = int;\nint *glob, arr[3];\n',
    outline:
      'namespace ns 1-11\n class K 2-10\n  method K 4\n  method ~K 5\n  method m 6\n  field f_ 7\n  enum E 8\n   enum member X 8\n  method g 9\nmethod ns/K/m 12\ntype Al 13\nvariable glob 14\nvariable arr 14',
  },
  java: {
    source:
      'package a.b;\npublic class A<T> extends B {\n  private int x, y = 2;\n  A(int q) { int local = 1; }\n  /** Doc. */\n  public List<T> names() throws X { return "s"; }\n  enum E { P; int v() { return 1; } }\n  interface I { void m(); }\n  record R(int a) {}\n}\n',
    outline:
      'class A 2-10\n field x 3\n field y 3\n constructor A 4\n method names 6\n enum E 7\n  enum member P 7\n  method v 7\n interface I 8\n  method m 8\n record R 9',
    text: ['/** Doc. */', '"s"'],
  },
  csharp: {
    source:
      'namespace A.B {\n  public class K : Base {\n    int x, y;\n    public int P { get; set; }\n    public K() {}\n    public T M<T>(int a) => default;\n    event Action E;\n    string s = $"a {x} b";\n  }\n}\n',
    outline:
      'namespace A.B 1-10\n class K 2-9\n  field x 3\n  field y 3\n  property P 4\n  constructor K 5\n  method M 6\n  event E 7\n  field s 8',
    text: ['$"a', 'b"'],
  },
  ruby: {
    source:
      'module Tools\n  VERSION = "1"\n  class Stack < Base\n    attr_reader :items\n    def push(item) = @items << item\n    def empty?\n      local = "a #{items} b" # c\n    end\n    def self.make; end\n  end\nend\n',
    outline:
      'module Tools 1-11\n constant VERSION 2\n class Stack 3-10\n  property items 4\n  method push 5\n  method empty? 6-8\n  method make 9',
    text: ['"1"', ':items', '"a', 'b"', '# c'],
  },
  php: {
    source:
      '<?php\nnamespace A\\B;\nfunction f(int $a) { return "x $a"; }\nclass K extends B { const C = 1; private int $x = 1; public function m(): int {} }\nenum E: string { case A = \'a\'; }\n',
    outline:
      'namespace A\\B 2\nfunction f 3\nclass K 4\n constant C 4\n property $x 4\n method m 4\nenum E 5\n enum member A 5',
  },
  bash: {
    source: '#!/bin/bash\nX=1\nreadonly Y=2\nfoo() {\n  local z=1\n  echo "hi $X"\n}\n',
    outline: 'variable X 2\nvariable Y 3\nfunction foo 4-7',
    text: ['#!/bin/bash', '"hi', '"'],
  },
  css: {
    source: ':root { --main: red; }\n.a, #b > p:hover {\n  color: red;\n}\n@media (x) { .c { d: e } }\n',
    outline: 'rule :root 1\n variable --main 1\nrule .a, #b > p:hover 2-4\nrule (x) 5\n rule .c 5',
  },
  html: {
    source: '<body>\n<div id="main">\n<h1>Title</h1>\n</div>\n<script>let a = 1</script>\n</body>\n',
    outline: 'element main 2-4\n heading Title 3\nelement script 5',
  },
  json: { source: '{"a": {"b": [1, {"c": 2}]}, "d": "s"}\n', outline: 'key a 1\n key b 1\n  key c 1\nkey d 1' },
  yaml: { source: 'a:\n  b: 1\n  c:\n    - d: 2\n', outline: 'key a 1-4\n key b 2\n key c 3-4\n  key d 4' },
  toml: {
    source: 'x = 1\n[a.b]\nc = "s"\n\n[[d]]\ne.f = 2\n',
    outline: 'key x 1\ntable a.b 2-3\n key c 3\ntable d 5-6\n key e.f 6',
  },
  kotlin: {
    source:
      'package a\n\nclass K(val x: Int) : B() {\n  val y = 1\n  fun m(a: Int): Int {\n    val local = 2\n    return 1\n  }\n  enum class E { A }\n}\ninterface I { fun q() }\nval top = "s"\n',
    outline:
      'class K 3-10\n property y 4\n method m 5-8\n enum E 9\n  enum member A 9\ninterface I 11\n method q 11\nvariable top 12',
  },
  scala: {
    source:
      'trait T { def q: Int; val v = 1 }\nclass K[A](x: Int) extends B { def m(a: Int): Int = { val local = 1; 1 } }\nobject O { case class C(a: Int) }\n',
    outline: 'trait T 1\n method q 1\n field v 1\nclass K 2\n method m 2\nobject O 3\n class C 3',
  },
  lua: {
    source: 'local M = {}\nfunction M.foo(a) return "x" end\nlocal function baz() end\nM.q = function() end\n',
    outline: 'variable M 1\nfunction M/foo 2\nfunction baz 3\nfunction M/q 4',
  },
  elixir: {
    source: 'defmodule A.B do\n  def foo(a, b) when a > 1 do\n    "x #{a}"\n  end\n  defp bar, do: 1\nend\n',
    outline: 'module A.B 1-6\n function foo 2-4\n function bar 5',
  },
  zig: {
    source:
      'pub const S = struct {\n  a: i32,\n  pub fn m(self: S) i32 { return 1; }\n};\npub fn main() void { var q = "s"; }\n',
    outline: 'struct S 1-4\n field a 2\n method m 3\nfunction main 5',
  },
};

describe('syntax trees of languages without a language server', () => {
  const trees = new SyntaxTrees(new Provision({ cacheDir: testCacheDir, env: process.env }));
  beforeAll(async () => {
    for (const { id } of grammars) await ensureEngine(id);
  }, 300_000);

  it.each(Object.entries(samples))('%s', async (grammar, sample) => {
    const source = new LineIndex(sample.source);
    const [extension = ''] = syntaxQueries[grammar as GrammarId].extensions;
    const facts = await trees.read(source, extension);
    if ('reason' in facts) throw new Error(facts.reason);
    expect(shown(facts.outline)).toBe(sample.outline);
    const texts = facts.text.flatMap((start, at) =>
      at % 2 === 0 ? [sample.source.slice(start, facts.text[at + 1]).trim()] : [],
    );
    expect(sample.text ?? texts).toEqual(texts);
  });

  it('says why there is no tree, and does not try to fetch again and again', async () => {
    let tries = 0;
    const catalog = grammars.map((grammar) => ({
      ...grammar,
      install: {
        plan: () => {
          tries++;
          return Promise.resolve({ reason: 'There is no network.', manualCommand: 'wait' });
        },
      },
    }));
    const offline = new SyntaxTrees(new Provision({ cacheDir: `${testCacheDir}-none`, env: process.env, catalog }));
    const source = new LineIndex('def a; end\n');
    const reason =
      'the Ruby grammar could not be fetched: There is no network. To try again: sightline setup grammar-ruby';
    expect(await offline.read(source, 'rb')).toEqual({ reason });
    const before = tries;
    expect(await offline.read(source, 'rb')).toEqual({
      reason: expect.stringContaining('sightline setup grammar-ruby'),
    });
    // Looking for it asks how it could be had; installing would ask once more.
    expect(tries - before).toBeLessThanOrEqual(1);
    expect(await offline.read(source, 'swift')).toEqual({ reason: 'there is no grammar for .swift files' });
  });
});

function shown(outline: readonly OutlineSymbol[], indent = ''): string {
  return outline
    .map((symbol) => {
      const { start, end } = symbol.range;
      const name = symbol.container === undefined ? symbol.name : `${symbol.container}/${symbol.name}`;
      const lines = start.line === end.line ? `${start.line}` : `${start.line}-${end.line}`;
      const children = shown(symbol.children, `${indent} `);
      return `${indent}${symbol.kind} ${name} ${lines}${children === '' ? '' : `\n${children}`}`;
    })
    .join('\n');
}
