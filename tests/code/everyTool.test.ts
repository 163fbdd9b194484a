import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

/** One small program in each language and module system: a base, a subtype, a function that is used elsewhere, a mistake. */
const files = {
  'package.json': '{"name":"mixed","private":true}',
  'jsconfig.json': '{"compilerOptions":{"checkJs":true,"module":"nodenext","jsx":"preserve","strict":false}}',
  'ts/shape.ts':
    '/** Anything with an area. */\nexport interface Shape {\n  area(): number;\n}\nexport class Square implements Shape {\n  constructor(readonly side: number) {}\n  area(): number {\n    return this.side ** 2;\n  }\n}\n/** Sums areas. */\nexport function sum(shapes: Shape[]): number {\n  return shapes.reduce((all, shape) => all + shape.area(), 0);\n}\n',
  'ts/main.ts':
    "import { Square, sum } from './shape.js';\n\nexport function run(): number {\n  return sum([new Square(2)]);\n}\nconst wrong: string = run();\n",
  'ts/broken.ts': 'export function half( {\n  return 1;\n}\n',
  'jsx/Card.jsx':
    '/** A card with a title. */\nexport function Card(props) {\n  return <section title={props.title}>{props.children}</section>;\n}\nexport const List = () => <Card title="a"><Card title="b" /></Card>;\n',
  'cjs/tax.js':
    '/** Adds the tax. */\nfunction withTax(price) {\n  return price * 1.2;\n}\nmodule.exports = { withTax };\n',
  'cjs/shop.js': "const { withTax } = require('./tax.js');\n\nexports.bill = (price) => withTax(price);\n",
  'esm/tax.mjs': '/** Adds the tax. */\nexport function addTax(price) {\n  return price * 1.2;\n}\n',
  'esm/shop.mjs': "import { addTax } from './tax.mjs';\n\nexport const bill = (price) => addTax(price);\n",
  'py/shape.py':
    'class Shape:\n    """Anything with an area."""\n\n    def area(self) -> float:\n        raise NotImplementedError\n\n\nclass Square(Shape):\n    def __init__(self, side: float) -> None:\n        self.side = side\n\n    def area(self) -> float:\n        return self.side**2\n\n\ndef total(shapes: list[Shape]) -> float:\n    """Sums areas."""\n    return sum(shape.area() for shape in shapes)\n',
  'py/main.py':
    'from shape import Square, total\n\n\ndef run() -> float:\n    return total([Square(2)])\n\n\nwrong: str = run()\n',
  'py/broken.py': 'def half(:\n    return 1\n',
};

/** How each language is asked about: a type, its subtype, a function with a caller, the place of a completion, the mistake. */
const languages = {
  typescript: {
    type: 'ts/shape.ts#Shape',
    below: 'Square',
    called: 'ts/shape.ts#sum',
    caller: 'ts/main.ts',
    file: 'ts/shape.ts',
    wrong: 'ts/main.ts',
    broken: 'ts/broken.ts',
    at: { file: 'ts/main.ts', line: 4, column: 3, insert_text: 'new Square(2).a' },
  },
  jsx: { called: 'jsx/Card.jsx#Card', caller: 'jsx/Card.jsx', file: 'jsx/Card.jsx' },
  commonJs: { called: 'cjs/tax.js#withTax', caller: 'cjs/shop.js', file: 'cjs/tax.js' },
  esModules: { called: 'esm/tax.mjs#addTax', caller: 'esm/shop.mjs', file: 'esm/tax.mjs' },
  python: {
    type: 'py/shape.py#Shape',
    below: 'Square',
    called: 'py/shape.py#total',
    caller: 'py/main.py',
    file: 'py/shape.py',
    wrong: 'py/main.py',
    broken: 'py/broken.py',
    at: { file: 'py/main.py', line: 5, column: 5, insert_text: 'Square(2).a' },
  },
};

describe('every code tool', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  let reader: TestClient;
  beforeAll(async () => {
    await ensureEngine('ty');
    ide = await startSightline({ project: files, env: { SIGHTLINE_CACHE: testCacheDir } });
    agent = await ide.connect({ face: 'index' });
    reader = await ide.connect({ face: 'default' });
  }, 180_000);
  afterAll(() => ide.dispose());

  it.each(Object.entries(languages))('%s', async (_name, language) => {
    const answers: string[] = [];
    const ask = async (tool: string, args: Record<string, unknown>) => {
      answers.push(`${tool} ${JSON.stringify(args)}`, await reader.text(tool, args), '');
    };
    const { called, file } = language;
    const name = called.split('#')[1] ?? '';
    await ask('ide_find_references', { symbol: called });
    await ask('find_references', { symbol: called });
    await ask('ide_find_definition', { file: language.caller, text: `${name}(` });
    await ask('ide_call_hierarchy', { symbol: called });
    await ask('ide_inspect_symbol', { symbol: called });
    await ask('get_documentation', { symbol: called });
    await ask('ide_file_structure', { file });
    await ask('get_file_outline', { path: file });
    await ask('search_symbols', { query: name });
    await ask('ide_list_quick_fixes', { file });
    if ('type' in language) {
      await ask('ide_type_hierarchy', { symbol: language.type });
      await ask('ide_find_implementations', { symbol: `${language.type}/area` });
      await ask('ide_code_completions', { ...language.at, limit: 3 });
      await ask('ide_analyze_code', { file: language.wrong });
      await ask('get_problems', { path: language.wrong });
      await ask('ide_analyze_code', { file: language.broken });
      await ask('ide_file_structure', { file: language.broken });
    }
    expect(shown(answers)).toMatchSnapshot();
  });

  it('files that are not there, and names that nobody knows', async () => {
    for (const tool of ['ide_file_structure', 'ide_analyze_code', 'ide_list_quick_fixes'])
      expect((await agent.call(tool, { file: 'ts/none.ts' })).error).toMatchObject({ name: 'file_not_found' });
    for (const tool of ['ide_find_references', 'ide_find_definition', 'ide_call_hierarchy', 'ide_inspect_symbol'])
      expect((await agent.call(tool, { symbol: 'nobodyKnowsThis' })).error).toMatchObject({ name: 'symbol_not_found' });
  });

  it('the status names both servers', async () => {
    expect(await agent.data('ide_index_status', {})).toMatchObject({
      state: 'ready',
      languages: [{ language: 'typescript' }, { language: 'python', interpreter: { why: expect.any(String) } }],
    });
  });

  const shown = (answers: readonly string[]): string =>
    answers
      .join('\n')
      .replaceAll(ide.root, '<root>')
      // Whether the server has fetched React's types meanwhile depends on the machine.
      .replaceAll('React.JSX.Element', 'any')
      .replace(/\nits type: .*@types\/react.*/g, '')
      .replace(/ \S*\/typeshed\/\S*\/stdlib\//g, ' <typeshed>/')
      .replace(/builtins\.pyi:\d+/g, 'builtins.pyi:#')
      .replace(/(ty|typescript-go) \d[\d.]*/g, '$1 #')
      .replace(/checkpoint c\d+/g, 'checkpoint c#')
      .replace(/\bp[0-9a-f]{8}\b/g, 'p########');
});
