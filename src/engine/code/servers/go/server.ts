import { extensionsOfFamily } from '../../../../base/languages/byPath.ts';
import { InstallOnNeed } from '../../../provision/installOnNeed.ts';
import type { Provision } from '../../../provision/provision.ts';
import type { ServerCommand, ServerDefinition } from '../definition.ts';

/** Go through gopls. It loads the packages of the workspace first, says so by progress, and answers completely from then on. */
export function goServer(provision: Provision): ServerDefinition {
  return {
    id: 'go',
    runsToolchain: true,
    title: 'Go language server (gopls)',
    languages: extensionsOfFamily('go'),
    configFiles: /^go\.(mod|sum|work)$/,
    readiness: { sign: 'progress', isLoading: (title) => title === 'Setting up workspace' },
    // `(*Cart).Total` is the method Total of Cart.
    repairOutline: (symbols) =>
      symbols.map((symbol) => {
        const [, container, name] = /^\(\*?(\w+)(?:\[.*\])?\)\.(\w+)$/.exec(symbol.name) ?? [];
        return container === undefined || name === undefined ? symbol : { ...symbol, name, container };
      }),
    // `cart.Cart.Total`, whatever of it the search was for.
    readSymbolName: (name) => {
      const parts = name.split('.');
      const own = parts.pop() ?? name;
      const container = parts.slice(1).join('.');
      return { name: own, ...(container === '' ? {} : { container }) };
    },
    missing: 'Install it with: sightline setup go',
    installation: new InstallOnNeed(provision, 'gopls'),
    async locate(project): Promise<ServerCommand | undefined> {
      const engine = await provision.locate('gopls', project);
      const [command, ...args] = engine.found ? engine.command : [];
      return command === undefined || !engine.found ? undefined : { command, args, version: engine.version };
    },
    initializationOptions: () => settings,
    configuration: (section) => (section === 'gopls' ? settings : null),
  };
}

const settings = {
  // Whatever it fetches by itself would change the project's go.mod or run for minutes.
  allowImplicitNetworkAccess: false,
  pullDiagnostics: true,
  symbolScope: 'workspace',
  symbolStyle: 'Package',
  symbolMatcher: 'CaseInsensitive',
  usePlaceholders: false,
  semanticTokens: false,
  telemetryPrompt: false,
};
