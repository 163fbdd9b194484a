import { isInside } from '../../base/paths.ts';

/**
 * Configuration that some program executes later, without anybody running the project: hooks, tasks of editors, servers of agents,
 * steps of CI, start files of shells and debuggers. Whoever may write it may run anything, so writing it is not an ordinary edit.
 * The rule: what is hidden belongs to a tool, and tools execute; only what is known to be plain data is not meant. What is
 * visible is the project's own source, except for the names below. The reasons stand in docs/decisions/workspace.md.
 *
 * `path` is canonical and absolute. Below `root` every hidden name counts; above it only the names of known tools do, because a
 * project may well lie in somebody's hidden folder.
 */
export function isExecutableConfig(path: string, root: string): boolean {
  const all = namesIn(path);
  const begin = ownTree(all);
  const names = all.slice(begin);
  if (names.some((name, index) => isToolsOwn(name, index === names.length - 1))) return true;
  if (visibleFolders.some((pattern) => pattern.test(names.join('/')))) return true;
  const below = isInside(root, path) ? all.slice(Math.max(begin, namesIn(root).length)) : names;
  const hidden = below.findIndex((name) => name.startsWith('.'));
  if (hidden < 0) return false;
  const rest = below.slice(hidden).join('/');
  return !(hidden === below.length - 1 ? plainFiles : plainFolders).some((pattern) => pattern.test(rest));
}

/** Whether a folder belongs to such a tool: it is never a project of its own. */
export function isToolFolder(folder: string): boolean {
  const names = namesIn(folder);
  return names.slice(ownTree(names)).some((name) => isToolsOwn(name, false));
}

/** Whether a folder lies below anything hidden: a call does not make a project of it, a person may. */
export function isHiddenFolder(folder: string): boolean {
  const names = namesIn(folder);
  return names
    .slice(ownTree(names))
    .some((name) => name.startsWith('.') && !plainFolders.some((one) => one.test(`${name}/`)));
}

/** The names in a path as a careless file system reads them: in any case and Unicode form, without what nobody sees. */
function namesIn(path: string): string[] {
  return path.split('/').map((name) =>
    name
      .normalize('NFKC')
      .replaceAll(/[\p{Cf}\p{Cc}]/gu, '')
      .toLowerCase()
      .replace(/(?<=[^. ])[. ]+$/, ''),
  );
}

/** Where a tree begins that an agent has checked out for itself (`.claude/worktrees/x`). Git's folder of that name holds none. */
function ownTree(names: readonly string[]): number {
  const tree = names.findLastIndex(
    (name, index) => name === 'worktrees' && /^\.(?!git$)/.test(names[index - 1] ?? '') && index + 1 < names.length,
  );
  return tree < 0 ? 0 : tree + 2;
}

function isToolsOwn(name: string, isLast: boolean): boolean {
  return toolFolders.has(name) || name.endsWith('.git') || (isLast && toolFiles.some((pattern) => pattern.test(name)));
}

/** Folders that no project lies in, whatever is chosen as its root. */
const toolFolders = new Set([
  ...['.git', 'git~1', '.hg', '.svn', '.jj', '.husky', '.githooks', 'githooks', 'git-hooks'],
  ...['.vscode', '.idea', '.zed', '.fleet', '.nova', '.theia', '.idx', '.devcontainer', '.vim', '.emacs.d'],
  ...['.claude', '.codex', '.cursor', '.gemini', '.qwen', '.copilot', '.opencode', '.windsurf', '.continue', '.roo'],
  ...['.kiro', '.cline', '.clinerules', '.amazonq', '.augment', '.trae', '.junie', '.aider', '.goose', '.agents'],
  ...['.circleci', '.buildkite', '.woodpecker', '.tekton', '.gitea', '.forgejo', '.gitlab', '.drone', '.sightline'],
  ...['.ssh', '.gnupg', '.config', '.aws', '.kube', '.docker', '.cargo', '.mvn', '.m2', '.gradle', '.bundle', '.yarn'],
  ...['.mise', '.asdf', '.pyenv', '.rbenv', '.nvm', '.volta', '.rustup', '.sdkman', '.direnv', '.ipython', '.jupyter'],
  ...['launchagents', 'launchdaemons'],
]);

/** Visible places that programs execute by themselves. */
const visibleFolders: readonly RegExp[] = [
  /(^|\/)gradle\/wrapper\//,
  /(^|\/)(azure-pipelines|mise)\//,
  // The interpreter of a project, which editors and agents start by themselves.
  /(^|\/)(venv|env|virtualenv)\/(bin|scripts)\//,
];

/** Visible files that programs execute by themselves, and those whose name alone is enough wherever they lie. */
const toolFiles: readonly RegExp[] = [
  // CI systems
  /^jenkinsfile([._-](?!md$|txt$)[\w-]+)?$/,
  /^(azure-pipelines|bitbucket-pipelines|appveyor|cloudbuild|buildspec|codemagic|bitrise|wercker|circle|codefresh|buddy|screwdriver|amplify|codeship-(steps|services))([._-][\w-]+)*\.(ya?ml|json)$/,
  /^(netlify\.toml|vercel\.json)$/,
  // hooks, package managers, toolchains, wrappers of build tools
  /^lefthook(-local)?\.(ya?ml|toml|json)$/,
  /^((simple-)?git-hooks|lint-?staged|commitlint)(\.config)?\.([cm]?[jt]s|json|ya?ml)$/,
  /^(captainhook\.json|grumphp\.ya?ml(\.dist)?|pre-commit-config\.yaml|prek\.toml|hk\.pkl)$/,
  // With it a folder of any name is a repository, whose settings git obeys.
  /^head$/,
  /^(bunfig\.toml|pip\.conf|pip\.ini|nuget\.config|pnpmfile\.c?js|init\.gradle(\.kts)?|gradlew(\.bat)?|mvnw(\.cmd)?)$/,
  /^(rust-toolchain(\.toml)?|mise(\.[\w-]+)?\.toml)$/,
  // agents and their servers
  /^(opencode|crush)\.jsonc?$/,
  /^([\w-]+[._-])?mcp([._-][\w-]+)*\.jsonc?$/,
  /^(claude_desktop_config|gemini-extension|conductor)\.json$/,
  // editors
  /\.(code-workspace|sublime-project|sublime-build|ipr|iws)$/,
  /^(devcontainer\.json|_vimrc|_gvimrc|_exrc)$/,
  // what interpreters and logins run when they start
  /^(sitecustomize|usercustomize|ipython_config|jupyter(_\w+)?_config)\.(py|json)$/,
  /\.pth$/,
  /^(authorized_keys2?|crontab)$/,
];

/** Hidden files that are plain data: they name nothing to run and nothing to load. */
const plainFiles: readonly RegExp[] = [
  /^\.[\w-]*ignore$/,
  /^\.(git)?keep$/,
  /^\.(editorconfig|mailmap|nojekyll|browserslistrc|clang-format|yamllint|rustfmt\.toml|taplo\.toml)$/,
  /^\.env(\.[\w.-]+)?$/,
  // what a change of ours leaves for a moment
  /^\.sightline-[\w-]+\.(new|old)$/,
  // the folder of scratch files, when it goes with the last of them
  /^\.sightline-scratch$/,
];

/** Hidden folders whose files are prose or data, or sources that run only with the project's own build. */
const plainFolders: readonly RegExp[] = [
  /^\.(changeset|well-known|storybook|vitepress|vuepress|sightline-scratch)\//,
  /^\.github\/issue_template\//,
  /^\.github\/(pull_request_template\/|(codeowners|funding\.yml|readme\.md|contributing\.md|security\.md|support\.md|code_of_conduct\.md|pull_request_template\.md)$)/,
];
