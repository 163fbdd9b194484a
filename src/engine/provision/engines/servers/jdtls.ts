import { dirname, join } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { platform } from '../../../../base/platform/here.ts';
import { npmInstall } from '../../installers/npm.ts';
import type { EngineDeclaration, FindContext, Installer } from '../../model.ts';
import { installedJdks } from '../../jdks.ts';
import { answersInitialize } from '../../probes.ts';
import { compareVersions, exists, expand, inCache, inEditorExtensions } from '../../programs.ts';

const launcher = 'plugins/org.eclipse.equinox.launcher_*.jar';

/**
 * The path is the launcher's jar. Whoever starts it appends `-configuration FOLDER -data FOLDER`, both writable and of one
 * project alone. It is carried by an npm package made for another editor; the last that runs on Java 17 is chosen there.
 */
export const jdtls: EngineDeclaration = {
  id: 'jdtls',
  title: 'Eclipse JDT language server',
  role: 'languageServer',
  languages: ['java'],
  find: [inCache(`node_modules/coc-java/server/${launcher}`), inEditorExtensions(`redhat.java-*/server/${launcher}`)],
  start: async (path, context) => {
    const java = await javaFor(path, context);
    const shared = await sharedConfiguration(join(dirname(path), '..'));
    return [
      java,
      '-Declipse.application=org.eclipse.jdt.ls.core.id1',
      '-Dosgi.bundles.defaultStartLevel=4',
      '-Declipse.product=org.eclipse.jdt.ls.core.product',
      `-Dosgi.sharedConfiguration.area=${shared}`,
      '-Dosgi.sharedConfiguration.area.readOnly=true',
      '-Dosgi.configuration.cascaded=true',
      '-Xms64m',
      '-Xmx1G',
      '-XX:+UseSerialGC',
      '--add-modules=ALL-SYSTEM',
      '--add-opens=java.base/java.util=ALL-UNNAMED',
      '--add-opens=java.base/java.lang=ALL-UNNAMED',
      '-jar',
      path,
    ];
  },
  probe: async (path) => {
    const [core = ''] = await expand(join(dirname(path), 'org.eclipse.jdt.ls.core_*.jar'));
    return /_(\d+\.\d+\.\d+)/.exec(core)?.[1];
  },
  verify: async (path, context, scratch) => {
    const command = [
      ...(await jdtls.start(path, context)),
      '-configuration',
      join(scratch, 'configuration'),
      '-data',
      join(scratch, 'data'),
    ];
    await answersInitialize(command, scratch, context);
  },
  install: forInstalledJava(),
};

function forInstalledJava(): Installer {
  const coc = (version: string) => npmInstall({ name: 'coc-java', version, entry: `server/${launcher}` });
  const [forJava21, forJava17] = [coc('1.56.0'), coc('1.14.1')];
  return {
    pinned: [forJava21, forJava17].flatMap(({ pinned = [] }) => pinned),
    plan: async (context) => {
      const java = await context.locate('java');
      if (!java.found) return { reason: 'Java 17 or newer was not found.', manualCommand: java.installCommand };
      const [newest] = await installedJdks(context);
      const version = newest?.version ?? java.version ?? '17';
      return (compareVersions(version, '21') >= 0 ? forJava21 : forJava17).plan(context);
    },
  };
}

/** The newest Java there is, unless the server is one of those that came before Java 21. */
async function javaFor(launcherPath: string, context: FindContext): Promise<string> {
  const [core = ''] = await expand(join(dirname(launcherPath), 'org.eclipse.jdt.ls.core_*.jar'));
  const isOld = compareVersions(/_(\d+\.\d+)/.exec(core)?.[1] ?? '1.60', '1.31') < 0;
  const all = await installedJdks(context);
  const fitting = isOld ? all.find(({ version }) => compareVersions(version, '24') < 0) : all[0];
  if (fitting !== undefined) return fitting.java;
  const java = await context.locate('java');
  if (!java.found) throw new ToolError('engine_missing', java.reason, { hint: java.installCommand });
  return java.path;
}

async function sharedConfiguration(server: string): Promise<string> {
  const system = { darwin: 'mac', win32: 'win', linux: 'linux' }[platform.system];
  const forArm = join(server, `config_${system}_arm`);
  return process.arch === 'arm64' && (await exists(forArm)) ? forArm : join(server, `config_${system}`);
}
