import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { extensionsOfFamily, isJavascriptFile } from '../../../../base/languages/byPath.ts';
import { machine, platform } from '../../../../base/platform/here.ts';
import type { ServerCommand, ServerDefinition } from '../definition.ts';
import { heritageTypes } from '../../queries/requests/heritage.ts';
import { assignsFunction } from './assignedFunctions.ts';
import { configsWithoutBaseUrl } from './baseUrlConfigs.ts';
import { ClassicFixes } from './classicFixes.ts';
import { componentOutline } from './componentOutline.ts';
import { componentUses } from './componentUses.ts';
import { repairOutline } from './outlineRepair.ts';
import { OwnTypescript } from './ownTypescript.ts';
import { TypescriptCoverage } from './coverage.ts';

/**
 * TypeScript 7's own language server, bundled: it runs no code of the project (no plug-ins), so it also serves projects nobody
 * trusts. The native program of the platform package is started directly; its Node wrapper would be a second process.
 */
export const typescriptServer: ServerDefinition = {
  id: 'typescript',
  title: 'TypeScript language server',
  repairOutline,
  repairs: {
    unreadUses: componentUses,
    outlineOfUnread: componentOutline,
    heirs: (workspace, server, path, signal) =>
      isJavascriptFile(path) ? heritageTypes(workspace, server, signal) : undefined,
    assignsFunction,
  },
  languages: extensionsOfFamily('typescript'),
  configFiles: /^(tsconfig.*\.json|jsconfig.*\.json|package\.json|.*\.json)$/,
  builtInFiles: /\/lib\.[\w.]*\.d\.ts$/,
  readiness: { sign: 'answersWait' },
  restartOnDependencyChange: true,
  analysesClosedFiles: true,
  findsExactSymbols: true,
  untypedExtensions: ['js', 'jsx', 'mjs', 'cjs'],
  implementationMethod: 'custom/textDocument/sourceDefinition',
  rewrittenConfigs: configsWithoutBaseUrl,
  locate: () => Promise.resolve(bundledTypescript()),
  missing:
    'Sightline was installed without the TypeScript program for this platform: reinstall it with optional packages.',
  configuration: (section) =>
    section === 'typescript' || section === 'javascript' || section === 'js/ts'
      ? {
          suggest: { completeFunctionCalls: false, autoImports: true },
          tsserver: { log: 'off' },
          disableAutomaticTypeAcquisition: true,
        }
      : null,
  judge: (context) => new OwnTypescript(context, bundledTypescript()?.version ?? ''),
  fixes: (context) => new ClassicFixes(context),
  coverage: (server) => new TypescriptCoverage(server),
};

let bundled: ServerCommand | undefined;

function bundledTypescript(): ServerCommand | undefined {
  bundled ??= findBundled();
  return bundled;
}

function findBundled(): ServerCommand | undefined {
  try {
    const require = createRequire(import.meta.url);
    const manifest = require.resolve('typescript/package.json');
    const platformManifest = createRequire(manifest).resolve(`@typescript/typescript-${machine}/package.json`);
    const command = join(dirname(platformManifest), 'lib', platform.customs.programNames('tsc')[0] ?? 'tsc');
    if (!existsSync(command)) return undefined;
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    return { command, args: ['--lsp', '--stdio'], version };
  } catch {
    return undefined;
  }
}
