import { ToolError } from '../../../base/errors.ts';
import type { TestRunner } from './model.ts';
import { escaped, nameParts, scriptTestNames } from './names.ts';
import { evidenceOf, imports, packageRoot } from './packages.ts';

/** tap's tests are programs of their own, which its runner only starts. */
export const tap: TestRunner = {
  id: 'tap',
  detect: (file) => {
    const evidence = evidenceOf(file, {
      imports: ['libtap', '@tapjs/\\w+'],
      configuration: /^\.taprc$/,
      key: 'tap',
      command: /(^|[\s;&|])tap\b/,
      packageName: 'tap',
    });
    return evidence !== undefined && evidence.strength >= 8 ? { ...evidence, folder: packageRoot(file) } : undefined;
  },
  command: (file, { folder }, name) => ({
    args: [],
    cwd: folder,
    // One line for each level, outermost first.
    ...(name === undefined
      ? {}
      : {
          env: {
            TAP_GREP: nameParts(name, scriptTestNames(file.text))
              .map((part) => `/^${escaped(part)}$/`)
              .join('\n'),
          },
        }),
  }),
  isOver: (output) => /^# time=/m.test(output),
  ranNothing: (output) => /^# \{ total: \d+, pass: 0, skip: \d+ \}$/m.test(output),
};

/** tape and its kin: programs that print TAP and know no way to run one test of them. */
export const tape: TestRunner = {
  id: 'tape',
  detect: (file) =>
    imports(file.text, '(?:tape|uvu|zora|brittle|baretest)')
      ? { reason: 'it imports it', strength: 8, folder: packageRoot(file) }
      : undefined,
  command: (file, { folder }, name) => {
    if (name === undefined) return { args: [], cwd: folder };
    throw new ToolError('unsupported', `The runner of ${file.path} cannot run one test by its name.`, {
      hint: 'Leave the name out: the whole file is run as `node FILE`.',
    });
  },
  isOver: (output) => /^# (?:pass|fail) +\d+/m.test(output),
  ranNothing: () => false,
};
