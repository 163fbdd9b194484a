import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

const files = {
  'stack/stack.go':
    'package stack\n\n// Push is documented.\ntype Stack struct {\n\titems []int\n}\n\n// Push puts an item on the Stack.\nfunc (s *Stack) Push(item int) {\n\ts.items = append(s.items, item)\n}\n',
  'main.go':
    'package main\n\nimport "x/stack"\n\nfunc main() {\n\ts := stack.Stack{}\n\ts.Push(1) // Push\n\tprintln("Push")\n}\n',
  'src/lib.rs':
    'pub struct Shelf { pub books: Vec<u32> }\n\nimpl Shelf {\n    pub fn shelve(&mut self, book: u32) {\n        self.books.push(book); // shelve\n    }\n}\n\nfn fill(shelf: &mut Shelf) {\n    shelf.shelve(1);\n    println!("shelve");\n}\n',
  'java/Order.java':
    'package java;\n\npublic class Order {\n  /** Sums. */\n  public int totalOf(int factor) {\n    return 2 * factor;\n  }\n}\n',
  'java/Main.java':
    'package java;\n\nimport java.Order;\n\nclass Main {\n  static final String NAME = "totalOf";\n\n  int run(Order order) {\n    return order.totalOf(3);\n  }\n}\n',
  'cpp/shape.hpp': 'namespace geo {\nclass Shape {\n public:\n  double area(int scale) const;\n};\n}\n',
  'cpp/shape.cpp':
    '#include "shape.hpp"\n/* area */\ndouble geo::Shape::area(int scale) const {\n  return scale * 2.0;\n}\ndouble twice(const geo::Shape &s) { return s.area(2); }\n',
  'app/stack.rb':
    'module Tools\n  class Pile\n    def add(item)\n      @items << item\n    end\n\n    def empty?\n      "#{add(1)} add"\n    end\n  end\nend\n',
  'app/main.rb': 'require_relative "stack"\npile = Tools::Pile.new\npile.add(1)\n',
  'App/Queue.swift': 'class Queue {\n  func offer(item: Int) {\n    items.append(item)\n  }\n}\n',
  Dockerfile: 'FROM nginx\n',
  'web/Card.vue': [
    '<template>',
    '  <h2>{{ title }}</h2>',
    '</template>',
    '',
    '<script setup lang="ts">',
    'const props = defineProps<{ title: string }>();',
    'function close(): void {',
    '  const local = 1;',
    '}',
    '</script>',
    '',
  ].join('\n'),
  'web/Old.vue': [
    '<script>',
    'export default {',
    '  methods: {',
    '    add(by) { this.n += by; },',
    '  },',
    '};',
    '</script>',
    '',
  ].join('\n'),
  'web/help.ts': 'export function help() {}\nhelp();\n',
  'web/Uses.vue': '<script setup>\nimport { help } from "./help";\nhelp();\n</script>\n',
  'web/Box.svelte': '<script>\n  export let title;\n  function open() {}\n</script>\n<h1>{title}</h1>\n',
  'web/main.css': '@media print {\n  .card { color: red; }\n}\n@layer base { h1 { margin: 0; } }\n',
  'README.md': '# Title\n\ntext\n\n## Usage\n\n```\n# not a heading\n```\n\n# Other\n',
};

describe('languages without a language server', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  let reader: TestClient;
  beforeAll(async () => {
    for (const grammar of ['go', 'rust', 'java', 'c', 'cpp', 'ruby', 'css']) await ensureEngine(`grammar-${grammar}`);
    ide = await startSightline({ project: files, env: { SIGHTLINE_CACHE: testCacheDir } });
    // Servers that run compilers and build tools are started in trusted projects only: here their languages have none.
    for (const project of ide.sightline.projects.list()) Object.assign(project, { trustedByStart: false });
    agent = await ide.connect({ face: 'index' });
    reader = await ide.connect({ face: 'default' });
  }, 180_000);
  afterAll(() => ide.dispose());

  it('outlines come from the syntax tree, with signatures and ranges, and say that they are textual', async () => {
    expect(await reader.text('get_file_outline', { path: 'stack/stack.go' })).toBe(
      [
        'stack/stack.go (12 lines, textual outline)',
        '4-6 type Stack struct',
        ' 5 items []int',
        '9-11 func (s *Stack) Push(item int)',
      ].join('\n'),
    );
    expect(await reader.text('get_file_outline', { path: 'cpp/shape.hpp' })).toBe(
      [
        'cpp/shape.hpp (7 lines, textual outline)',
        '1-6 namespace geo',
        ' 2-5 class Shape',
        '  4 double area(int scale) const',
      ].join('\n'),
    );
    expect(await agent.data('ide_file_structure', { file: 'java/Order.java' })).toMatchObject({
      textual: true,
      index: { state: 'ready' },
      symbols: [
        {
          name: 'Order',
          kind: 'class',
          line: 3,
          endLine: 8,
          children: [
            { name: 'totalOf', kind: 'method', line: 5, endLine: 7, signature: 'public int totalOf(int factor)' },
          ],
        },
      ],
    });
  });

  it.each([
    ['Push', 'stack/stack.go:9:17 method Stack/Push'],
    ['Shelf/shelve', 'src/lib.rs:4:12 method Shelf/shelve'],
    ['totalOf', 'java/Order.java:5:14 method Order/totalOf'],
    ['Pile.add', 'app/stack.rb:3:9 method Tools/Pile/add'],
    ['ttlOf', 'java/Order.java:5:14 method Order/totalOf'],
    ['offer', 'App/Queue.swift:2:8 function Queue/offer'],
  ])('the symbol %s is found', async (query, found) => {
    expect(await reader.text('search_symbols', { query })).toBe(found);
  });

  it('a symbol search after an edit by another program knows the new name', async () => {
    await writeFile(join(ide.root, 'extra.go'), 'package main\n\nfunc BrandNew() {}\n');
    expect(await reader.text('search_symbols', { query: 'brandnew' })).toBe('extra.go:3:6 function BrandNew');
    await writeFile(join(ide.root, 'extra.go'), 'package main\n\nfunc Renamed() {}\n');
    expect(await reader.text('search_symbols', { query: 'brandnew' })).toBe('No symbol has such a name.');
    await rm(join(ide.root, 'extra.go'));
  });

  it.each([
    [
      { symbol: 'Stack/Push' },
      ['main.go:7 method_call main', 'stack/stack.go:9 declaration'],
      'textual: the language server of .go files runs only in a trusted project',
    ],
    [
      { symbol: 'Shelf/shelve' },
      ['src/lib.rs:10 method_call fill', 'src/lib.rs:4 declaration Shelf'],
      'textual: the language server of .rs files runs only in a trusted project',
    ],
    [
      { file: 'java/Main.java', line: 9, text: 'totalOf' },
      ['java/Main.java:9 method_call Main/run', 'java/Order.java:5 declaration Order'],
      'textual: the language server of .java files runs only in a trusted project',
    ],
    [
      { file: 'java/Order.java', line: 3, text: 'Order' },
      ['java/Main.java:3 import', 'java/Main.java:8 reference Main/run', 'java/Order.java:3 declaration'],
      'textual: the language server of .java files runs only in a trusted project',
    ],
    [
      { file: 'cpp/shape.cpp', line: 3, text: 'area' },
      ['cpp/shape.cpp:3 declaration', 'cpp/shape.cpp:6 method_call twice', 'cpp/shape.hpp:4 declaration geo/Shape'],
      'textual: the language server of .cpp files runs only in a trusted project',
    ],
    [
      { symbol: 'Pile/add' },
      [
        'app/main.rb:3 method_call',
        'app/stack.rb:3 declaration Tools/Pile',
        'app/stack.rb:8 method_call Tools/Pile/empty?',
      ],
      'textual: no language server for .rb files',
    ],
  ])('uses of %o, those in comments and strings left out, never called complete', async (address, uses, detail) => {
    const data = await agent.data('ide_find_references', address);
    const usages = data['usages'] as { file: string; line: number; type: string; enclosing?: string }[];
    expect(
      usages
        .map(({ file, line, type, enclosing }) => `${file}:${line} ${type.toLowerCase()} ${enclosing ?? ''}`.trim())
        .sort(),
    ).toEqual(uses);
    expect(data).toMatchObject({ totalCount: uses.length, index: { state: 'partial', detail } });
  });

  it('definitions are those of the name, with their documentation', async () => {
    expect(await agent.data('ide_find_definition', { file: 'java/Main.java', line: 9, text: 'totalOf' })).toMatchObject(
      {
        file: 'java/Order.java',
        line: 5,
        endLine: 7,
        preview: expect.stringContaining('/** Sums. */'),
        index: { state: 'partial' },
      },
    );
  });

  it('where there is no grammar the lines are looked at, and it says so', async () => {
    expect(await agent.data('ide_file_structure', { file: 'App/Queue.swift' })).toMatchObject({
      textual: true,
      index: { state: 'ready', detail: 'only lines were looked at: there is no grammar for .swift files' },
      symbols: [{ name: 'Queue', line: 1, endLine: 5, children: [{ name: 'offer', line: 2, endLine: 4 }] }],
    });
    expect(await agent.data('ide_find_references', { symbol: 'Queue/offer' })).toMatchObject({
      totalCount: 1,
      index: {
        state: 'partial',
        detail:
          'textual: no language server for .swift files; only lines were looked at: there is no grammar for .swift files',
      },
    });
    expect(await agent.data('ide_file_structure', { file: 'Dockerfile' })).toMatchObject({
      index: { detail: 'only lines were looked at: there is no grammar for it' },
      symbols: [],
    });
    const readme = await agent.data('ide_file_structure', { file: 'README.md' });
    expect((readme['symbols'] as { name: string }[]).map((symbol) => symbol.name)).toEqual(['Title', 'Other']);
    expect(readme['index']).toEqual({ state: 'ready' });
  });

  it('components and rules are outlined by what a reader looks for in them', async () => {
    const outline = async (path: string) => (await reader.text('get_file_outline', { path })).split('\n').slice(1);
    expect(await outline('web/Card.vue')).toEqual([
      '1-3 <template>',
      '5-10 <script setup lang="ts">',
      ' 6 const props = defineProps<{ title: string }>()',
      '  6 property title: string',
      ' 7-9 function close(): void',
    ]);
    expect(await outline('web/Old.vue')).toEqual(['1-7 <script>', ' 3-5 methods', '  4 add(by)']);
    expect(await outline('web/Box.svelte')).toEqual(['1-4 <script>', ' 2 export let title', ' 3 function open()']);
    expect(await outline('web/main.css')).toEqual(['1-3 @media print', ' 2 .card', '4 @layer base', ' 4 h1']);
  });

  it('what components may use is told as possible', async () => {
    expect(await agent.data('ide_find_references', { symbol: 'web/help.ts#help' })).toMatchObject({
      totalCount: 2,
      possible: [
        '3 in a file that the engine does not read:',
        'web/Uses.vue:2 import { help } from "./help";',
        'web/Uses.vue:3 help();',
      ],
    });
  });

  it('says what cannot be done without a server', async () => {
    expect((await agent.call('ide_call_hierarchy', { symbol: 'Pile/add' })).error).toMatchObject({
      name: 'unsupported',
    });
    expect(await agent.data('ide_analyze_code', { file: 'app/stack.rb' })).toMatchObject({
      analysedFiles: 0,
      wantedFiles: 1,
      index: { state: 'partial', detail: expect.stringContaining('no language server') },
    });
  });
});
