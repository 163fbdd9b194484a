import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

describe('a language without a language server', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({
      project: {
        'app/stack.rb': [
          'module Tools',
          '  class Stack',
          '    def push(item)',
          '      @items << item',
          '    end',
          '',
          '    def empty?',
          '      @items.empty?',
          '    end',
          '  end',
          'end',
          '',
        ].join('\n'),
        'app/main.rb': 'require_relative "stack"\nstack = Tools::Stack.new\nstack.push(1)\n',
        'lib/Queue.kt': 'class Queue {\n  fun offer(item: Int) {\n    items.add(item)\n  }\n}\n',
        'README.md': '# Title\n\ntext\n\n## Usage\n\n```\n# not a heading\n```\n\n# Other\n',
      },
    });
    agent = await ide.connect({ face: 'index' });
  });
  afterAll(() => ide.dispose());

  it('has an outline that says it is textual', async () => {
    expect(await agent.data('ide_file_structure', { file: 'app/stack.rb' })).toMatchObject({
      textual: true,
      symbols: [
        {
          name: 'Tools',
          kind: 'module',
          line: 1,
          endLine: 11,
          children: [
            {
              name: 'Stack',
              kind: 'class',
              line: 2,
              endLine: 10,
              children: [
                { name: 'push', kind: 'function', line: 3, endLine: 5, signature: 'def push(item)' },
                { name: 'empty?', line: 7, endLine: 9 },
              ],
            },
          ],
        },
      ],
    });
    const readme = await agent.data('ide_file_structure', { file: 'README.md' });
    expect((readme['symbols'] as { name: string }[]).map((symbol) => symbol.name)).toEqual(['Title', 'Other']);
  });

  it('finds symbols, definitions and uses by their text, and never calls that complete', async () => {
    const symbols = await agent.data('search_symbols', { query: 'offer' });
    expect(symbols).toMatchObject({
      textual: true,
      symbols: [{ name: 'offer', container: 'Queue', file: 'lib/Queue.kt', line: 2 }],
    });
    expect(await agent.data('ide_find_definition', { file: 'app/main.rb', line: 3, text: 'push' })).toMatchObject({
      file: 'app/stack.rb',
      line: 3,
      endLine: 5,
      index: { state: 'partial', detail: 'textual: no language server for .rb files' },
    });
    expect(await agent.data('ide_find_references', { symbol: 'Stack/push' })).toMatchObject({
      totalCount: 2,
      files: [
        { file: 'app/stack.rb', count: 1 },
        { file: 'app/main.rb', count: 1 },
      ],
      index: { state: 'partial' },
    });
  });

  it('says what cannot be done without a server', async () => {
    expect((await agent.call('ide_call_hierarchy', { symbol: 'Stack/push' })).error).toMatchObject({
      name: 'unsupported',
    });
    expect(await agent.data('ide_analyze_code', { file: 'app/stack.rb' })).toMatchObject({
      analysedFiles: 0,
      wantedFiles: 1,
      index: { state: 'partial', detail: expect.stringContaining('no language server') },
    });
  });
});
