import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import type { EnginesOnNeed } from '../../provision/enginesOnNeed.ts';
import type { Project } from '../../workspace/project.ts';
import type { LaunchSpec } from '../model.ts';
import type { AdapterDescription } from '../target.ts';
import { DapTarget } from '../targets/dap/dapTarget.ts';
import { ExpressionError, parseExpression } from '../targets/jvm/expressions/syntax.ts';
import { declaredFunctionLines } from './bracedFunctions.ts';
import { javaCode } from './java/javaCode.ts';
import { type FindJdk, type JavaRun, moduleLaunch, programLaunch } from './java/javaProgram.ts';
import { javaRecorder } from './java/javaRecorder.ts';
import { testLaunch } from './java/javaTests.ts';
import { JvmBackend, type JavaCommand } from './java/jvmBackend.ts';
import { MavenBuilds, mavenProblems } from './java/mavenBuilds.ts';
import { recompilation } from './java/recompilation.ts';

/** Java by its virtual machine's own debug protocol, spoken without an adapter. See docs/decisions/java.md. */
export function javaAdapter(engines: EnginesOnNeed): AdapterDescription {
  const findJdk: FindJdk = async (project, progress) => {
    const { path } = await engines.get('java', { project, purpose: 'debug Java', progress });
    return { java: path, home: dirname(dirname(realpathSync(path))) };
  };
  const maven = async (project: Project) =>
    (await engines.get('maven', { project, purpose: 'build this project' })).path;
  const builds = new MavenBuilds(maven);
  return {
    language: 'java',
    aliases: ['jvm', 'jdwp'],
    fileExtensions: ['.java'],
    recognises: (path) => path.endsWith('.jar') && existsSync(path),
    runsIn: (executable) => basename(executable) === 'java',
    createTarget: (context) =>
      new DapTarget('java', new JvmBackend((spec, agent) => commandOf(spec, agent, builds)), context),
    resolveProgram: (request) => programLaunch(request, findJdk, builds),
    resolveModule: (request) => moduleLaunch(request, findJdk, builds),
    resolveTest: (request) => testLaunch(request, findJdk, maven),
    testsAreOver: (_spec, output) =>
      /^\[(?:INFO|ERROR|WARNING)\] Tests run: \d+.*$|tests (?:failed|successful)\s*\]/m.test(output),
    expressionProblem,
    recompile: (spec, project) => recompilation(spec, project, builds),
    guardsBreakpoints: true,
    functionLines: declaredFunctionLines,
    codeOf: javaCode,
    dangerousPatterns,
    recorder: javaRecorder((spec, agent) => commandOf(spec, agent, builds)),
  };
}

async function commandOf(spec: LaunchSpec, agent: string, builds: MavenBuilds): Promise<JavaCommand> {
  // Made by `programLaunch` or `testLaunch`.
  const run = spec.extra?.['run'] as JavaRun;
  if (spec.command !== undefined) {
    const [command = '', ...args] = spec.command;
    return {
      command,
      args: [...args, `-Dmaven.surefire.debug=${agent}`],
      cwd: spec.cwd,
      javaHome: run.jdk.home,
      whyNothingRan,
    };
  }
  const classPath = run.maven === undefined ? run.classPath : builds.classPath(run.maven);
  const what = run.jar === undefined ? ['-cp', classPath.join(delimiter), run.mainClass ?? ''] : ['-jar', run.jar];
  return {
    command: spec.runtime ?? run.jdk.java,
    args: [agent, ...(spec.runtimeArgs ?? []), ...what, ...spec.args],
    cwd: spec.cwd,
    javaHome: run.jdk.home,
    ...(spec.isTest === true ? {} : { mainClass: run.mainClass }),
    ...(spec.stopOnEntry && run.mainClass !== undefined ? { entryClass: run.mainClass } : {}),
  };
}

/** Maven ended without having started a test: the sources do not compile, or no test has that name. */
function whyNothingRan(output: string): ToolError | undefined {
  const problems = mavenProblems(output);
  const [first] = problems;
  if (first === undefined) return undefined;
  const lines = problems
    .slice(0, 5)
    .map(({ file, line, column, message }) =>
      [file, line, column, ` ${message}`].filter((part) => part !== undefined).join(':'),
    );
  return new ToolError('launch_failed', `Maven ran no test:\n${lines.join('\n')}`, { data: { problems } });
}

function expressionProblem(expression: string): string | undefined {
  try {
    parseExpression(expression);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

/** Process execution, the end of the machine, files, network, reflection, native code, environment. */
const dangerousPatterns: readonly RegExp[] = [
  /\b(Runtime|ProcessBuilder|Process|ProcessHandle)\b/,
  /\bSystem\s*\.\s*(exit|load|loadLibrary|setProperty|getProperty|getProperties|clearProperty|getenv|setOut|setErr|setIn|setSecurityManager)\b/,
  /\b(Files|Paths|File|FileInputStream|FileOutputStream|FileReader|FileWriter|RandomAccessFile|FileChannel|PrintWriter)\b/,
  /\bPath\s*\.\s*of\b/,
  /\b(Socket|ServerSocket|DatagramSocket|URL|URI|HttpClient|HttpURLConnection|InetAddress|SocketChannel)\b/,
  /\b(Class\s*\.\s*forName|getClassLoader|loadClass|defineClass|getDeclared\w*|getMethod|getMethods|getField|getFields|getConstructors?|setAccessible|newInstance|invoke|MethodHandles?|Unsafe|Proxy)\b/,
  /\b(ScriptEngine\w*|ObjectInputStream|Compiler|ToolProvider)\b/,
];
