import { ToolError } from '../../../base/errors.ts';
import { displayPath } from '../../../base/paths.ts';
import type { ChangePlan } from './operations.ts';

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

/** Whichever way a change came about: what is executed later is not written, moved or deleted without a person. */
export function refuseExecutable(root: string, plan: ChangePlan): void {
  const files = plan.transitions
    .map(({ path }) => displayPath(root, path))
    .filter((file) => isExecutableConfig(file))
    .slice(0, 5);
  if (files.length === 0) return;
  throw new ToolError(
    'permission_denied',
    `${files.join(', ')}: other programs execute this later, so a person must agree to a change of it. Nothing was changed.`,
    { hint: 'Leave it out; write_file and edit_file ask the person.', data: { files } },
  );
}
