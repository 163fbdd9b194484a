import { ToolError } from '../../../base/errors.ts';
import type { Registry, WantedPackage } from './model.ts';

/** Names and versions become parts of paths and arguments of programs, so only what registries allow is let through. */
const names: Readonly<Record<Registry, RegExp>> = {
  npm: /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~_][\w.~-]*$/i,
  pypi: /^[a-z0-9](?:[\w.-]*[a-z0-9])?$/i,
  go: /^[a-z0-9][\w.~-]*(?:\/[\w.~][\w.~-]*)*$/i,
  crates: /^[a-z][\w-]*$/i,
  maven: /^[a-z_][\w.-]*:[a-z_][\w.-]*$/i,
};
const version = /^[\w][\w.+!~-]*$/;

export function checkNames(wanted: WantedPackage): void {
  const isGood =
    names[wanted.registry].test(wanted.name) &&
    !/(?:^|\/)\.\.?(?:\/|$)/.test(wanted.name) &&
    wanted.name.length <= 300 &&
    (wanted.version === undefined || (version.test(wanted.version) && wanted.version.length <= 100));
  if (isGood) return;
  const shown = `${wanted.name}${wanted.version === undefined ? '' : ` ${wanted.version}`}`.slice(0, 120);
  throw new ToolError('invalid_arguments', `"${shown}" is no name and version of a package of ${wanted.registry}.`);
}
