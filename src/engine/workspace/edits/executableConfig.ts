/**
 * Configuration that some program executes later: whoever may write it may run anything, so writing it is not an ordinary edit.
 * Matched against the canonical path relative to the project root.
 */
export function isExecutableConfig(relativePath: string): boolean {
  const path = relativePath.split('\\').join('/');
  return patterns.some((pattern) => pattern.test(path));
}

const patterns: readonly RegExp[] = [
  /(^|\/)\.git(\/|$)/,
  /(^|\/)\.gitmodules$/,
  /(^|\/)\.gitattributes$/,
  /(^|\/)\.vscode\/(tasks|launch|settings|extensions|mcp)\.json$/,
  /(^|\/)\.mcp\.json$/,
  /(^|\/)\.(cursor|claude|codex|gemini|windsurf|continue|idea|husky|devcontainer|githooks)(\/|$)/,
  /(^|\/)\.(npmrc|yarnrc|yarnrc\.yml|pnpmfile\.cjs|envrc|pre-commit-config\.yaml)$/,
  /(^|\/)\.sightline(\.json|\/|$)/,
  /(^|\/)\.github\/workflows\//,
  /(^|\/)\.gitlab-ci\.yml$/,
];
