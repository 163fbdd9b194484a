import { isAbsolute, join, resolve } from 'node:path';
import { splitArguments } from '../../../base/commandLine.ts';
import { child, childrenNamed, type XmlElement } from '../../../base/text/xml.ts';
import type { LaunchPlan, RunPlan } from './model.ts';
import { packageManager } from './packageScripts.ts';

interface IdeaReading {
  title: string;
  plan?: RunPlan;
  problem?: string;
}

/** What a JetBrains configuration of some type starts. Options stand in `option` elements, or in attributes and elements of their own. */
export function ideaPlan(element: XmlElement, type: string, root: string): IdeaReading {
  const reader = readers[type];
  if (reader === undefined) {
    return { title: type, problem: `Configurations of the type "${type}" are known to the IDE only.` };
  }
  const { title } = reader;
  const answer = reader.read(new IdeaOptions(element, root));
  return typeof answer === 'string' ? { title, problem: answer } : { title, plan: answer };
}

interface Reader {
  title: string;
  /** The plan, or why there is none. */
  read(options: IdeaOptions): RunPlan | string;
}

const readers: Readonly<Record<string, Reader>> = {
  PythonConfigurationType: { title: 'Python', read: pythonScript },
  tests: { title: 'Python tests', read: pythonTests },
  DjangoServer: { title: 'Django server', read: (options) => djangoServer(options) },
  NodeJSConfigurationType: { title: 'Node.js', read: nodeScript },
  'js.build_tools.npm': { title: 'npm', read: npmScript },
  JavaScriptTestRunnerJest: { title: 'Jest', read: (options) => nodeTests(options, 'jest', []) },
  JavaScriptTestRunnerVitest: { title: 'Vitest', read: (options) => nodeTests(options, 'vitest', ['run']) },
  'mocha-javascript-test-runner': { title: 'Mocha', read: (options) => nodeTests(options, 'mocha', []) },
  GoApplicationRunConfiguration: { title: 'Go', read: goProgram },
  GoTestRunConfiguration: { title: 'Go tests', read: (options) => goProgram(options, true) },
  Application: { title: 'Application', read: javaApplication },
  CargoCommandRunConfiguration: { title: 'Cargo', read: cargoCommand },
  ShConfigurationType: { title: 'Shell script', read: shellScript },
  CompoundRunConfigurationType: { title: 'Compound', read: compound },
};

function javaApplication(options: IdeaOptions): RunPlan | string {
  const module = options.text('MAIN_CLASS_NAME');
  if (module === '') return 'It names no main class.';
  return {
    ...options.launch('java', 'WORKING_DIRECTORY'),
    args: splitArguments(options.text('PROGRAM_PARAMETERS')),
    ...listed('runtimeArgs', splitArguments(options.text('VM_PARAMETERS'))),
    form: 'module',
    module,
  };
}

function pythonScript(options: IdeaOptions): RunPlan | string {
  const script = options.text('SCRIPT_NAME');
  if (script === '') return 'It names no script.';
  const args = splitArguments(options.text('PARAMETERS'));
  const base = {
    ...options.launch('python', 'WORKING_DIRECTORY'),
    args,
    ...(options.text('SDK_HOME') === '' ? {} : { runtime: options.path('SDK_HOME') }),
    ...listed('runtimeArgs', splitArguments(options.text('INTERPRETER_OPTIONS'))),
  };
  return options.text('MODULE_MODE') === 'true'
    ? { ...base, form: 'module', module: script }
    : { ...base, form: 'program', program: options.path('SCRIPT_NAME') };
}

function pythonTests(options: IdeaOptions): RunPlan | string {
  const kind = unquoted(options.text('_new_targetType'));
  const place = unquoted(options.text('_new_target'));
  const extra = splitArguments(unquoted(options.text('_new_additionalArguments')));
  const isPytest = /py\.?test/i.test(options.attribute('factoryName'));
  const where = kind === 'PYTHON' ? ['--pyargs', place] : place === '' ? [] : [place];
  const base = { ...options.launch('python', 'WORKING_DIRECTORY'), isTest: true };
  return isPytest
    ? { ...base, form: 'module', module: 'pytest', args: [...where, ...extra] }
    : { ...base, form: 'module', module: 'unittest', args: [...(place === '' ? ['discover'] : [place]), ...extra] };
}

function djangoServer(options: IdeaOptions): RunPlan {
  const port = options.text('port') || '8000';
  const base = options.launch('python', 'WORKING_DIRECTORY');
  return {
    ...base,
    form: 'program',
    program: join(options.root, 'manage.py'),
    args: ['runserver', port],
    extra: { django: true },
  };
}

function nodeScript(options: IdeaOptions): RunPlan | string {
  const file = options.attribute('path-to-js-file');
  if (file === '') return 'It names no JavaScript file.';
  const cwd = options.place(options.attribute('working-dir'), options.root);
  return {
    ...options.launch('node'),
    cwd,
    form: 'program',
    program: options.place(file, cwd),
    args: splitArguments(options.attribute('application-parameters')),
    ...listed('runtimeArgs', splitArguments(options.attribute('node-parameters'))),
  };
}

function npmScript(options: IdeaOptions): RunPlan | string {
  const manifest = options.place(options.valueOf('package-json'), options.root);
  const scripts = childrenNamed(child(options.element, 'scripts'), 'script').map(
    (each) => each.attributes['value'] ?? '',
  );
  const [script = ''] = scripts;
  const verb = options.valueOf('command') || 'run';
  if (verb.startsWith('run') && script === '') return 'It names no script.';
  const args = splitArguments(options.valueOf('arguments'));
  const command = [
    packageManager(options.root),
    verb.startsWith('run') ? 'run' : verb,
    ...(script === '' ? [] : [script]),
  ];
  return {
    ...options.launch('node'),
    cwd: join(manifest, '..'),
    form: 'command',
    command: args.length === 0 ? command : [...command, '--', ...args],
  };
}

function nodeTests(options: IdeaOptions, runner: string, verb: readonly string[]): RunPlan {
  const files = ['test-file', 'jsTestFile', 'directory', 'test-directory'].map((name) => options.valueOf(name));
  const file = files.find((each) => each !== '');
  const cwd = options.place(options.valueOf('working-dir') || options.valueOf('workingDirectory'), options.root);
  const name = options.valueOf('test-name');
  return {
    ...options.launch('node'),
    cwd,
    form: 'command',
    command: [
      join(options.root, 'node_modules', '.bin', runner),
      ...verb,
      ...(file === undefined ? [] : [options.place(file, cwd)]),
      ...(name === '' ? [] : ['-t', name]),
    ],
    isTest: true,
  };
}

function goProgram(options: IdeaOptions, isTest = false): RunPlan {
  const cwd = options.place(options.valueOf('working_directory'), options.root);
  const kind = options.valueOf('kind');
  const file = kind === 'FILE' ? options.valueOf('filePath') : options.valueOf('directory');
  return {
    ...options.launch('go'),
    cwd,
    form: 'program',
    program: options.place(file, cwd),
    args: splitArguments(options.valueOf('parameters')),
    isTest,
  };
}

function cargoCommand(options: IdeaOptions): RunPlan {
  const words = splitArguments(options.text('command') || 'run');
  const cwd = options.place(options.text('workingDirectory').replace(/^file:\/\//, ''), options.root);
  return { ...options.launch('rust'), cwd, form: 'command', command: ['cargo', ...words], isTest: words[0] === 'test' };
}

function shellScript(options: IdeaOptions): RunPlan | string {
  const base = options.launch('shell', 'SCRIPT_WORKING_DIRECTORY');
  const text = options.text('SCRIPT_TEXT');
  if (options.text('EXECUTE_SCRIPT_FILE') === 'false' && text !== '') {
    return { ...base, form: 'command', command: ['/bin/sh', '-c', text] };
  }
  if (options.text('SCRIPT_PATH') === '') return 'It names no script.';
  const interpreter = options.text('INTERPRETER_PATH') || '/bin/sh';
  const args = splitArguments(options.text('SCRIPT_OPTIONS'));
  return { ...base, form: 'command', command: [interpreter, options.path('SCRIPT_PATH'), ...args] };
}

function compound(options: IdeaOptions): RunPlan | string {
  const members = childrenNamed(options.element, 'toRun').map((each) => each.attributes['name'] ?? '');
  return members.length === 0 ? 'It has no members.' : { kind: 'compound', members, stopAll: false, before: [] };
}

/** The options of one configuration, with the IDE's macros replaced. */
class IdeaOptions {
  readonly element: XmlElement;
  readonly root: string;

  constructor(element: XmlElement, root: string) {
    this.element = element;
    this.root = root;
  }

  /** `<option name="NAME" value="..." />`. */
  text(name: string): string {
    const option = childrenNamed(this.element, 'option').find((each) => each.attributes['name'] === name);
    return this.expand(option?.attributes['value'] ?? '');
  }

  path(name: string): string {
    return this.place(this.text(name), this.root);
  }

  /** `<configuration NAME="...">`. */
  attribute(name: string): string {
    return this.expand(this.element.attributes[name] ?? '');
  }

  /** `<NAME value="..." />`, or its text. */
  valueOf(name: string): string {
    const found = child(this.element, name);
    return this.expand(found?.attributes['value'] ?? found?.text ?? '');
  }

  place(path: string, base: string): string {
    return path === '' ? base : isAbsolute(path) ? resolve(path) : resolve(base, path);
  }

  expand(text: string): string {
    return text.replaceAll(/\$(PROJECT_DIR|MODULE_DIR|MODULE_WORKING_DIR|ProjectFileDir|ContentRoot)\$/g, this.root);
  }

  launch(language: string, folderOption?: string): Omit<LaunchPlan, 'form'> {
    const cwd = folderOption === undefined ? '' : this.text(folderOption);
    const entries = childrenNamed(child(this.element, 'envs'), 'env').map(({ attributes }) => {
      return [attributes['name'] ?? '', this.expand(attributes['value'] ?? '')] as const;
    });
    return {
      kind: 'launch',
      language,
      args: [],
      cwd: this.place(cwd, this.root),
      env: Object.fromEntries(entries),
      stopOnEntry: false,
      before: [],
    };
  }
}

function listed(name: 'runtimeArgs', words: readonly string[]): { runtimeArgs?: readonly string[] } {
  return words.length === 0 ? {} : { [name]: words };
}

/** Targets of tests are stored as JSON text with its quotes, or bare. */
function unquoted(text: string): string {
  return /^"(.*)"$/.exec(text)?.[1] ?? text;
}
