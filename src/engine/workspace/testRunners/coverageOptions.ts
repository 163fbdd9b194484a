import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { assetPath } from '../../../base/assets.ts';
import type { CoverageArtifact } from '../coverage/model.ts';
import type { RunRequest } from '../tests/model.ts';
import { findPackageFile } from './packages.ts';

/** What a runner of JavaScript is told so that it measures, or does not. */
interface CoverageOptions {
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  plan?: { coverage: readonly CoverageArtifact[] };
}

type Wish = Pick<RunRequest, 'coverage' | 'scratch' | 'package'>;

/** By the provider that the project has installed; without one by ours, which takes what V8 counted from the workers. */
export function vitestCoverage({ coverage, scratch, package: { folder } }: Wish): CoverageOptions {
  if (coverage !== true) return { args: ['--coverage.enabled=false'] };
  const providers = ['v8', 'istanbul'].filter(
    (name) => findPackageFile(folder, `@vitest/coverage-${name}`, 'package.json') !== undefined,
  );
  const report = join(scratch, 'coverage');
  const shared = [
    '--coverage.enabled=true',
    '--coverage.reportOnFailure=true',
    `--coverage.reportsDirectory=${report}`,
  ];
  if (providers.length > 0)
    return {
      args: [
        ...shared,
        '--coverage.reporter=json',
        // With both, the configuration says which.
        ...(providers.length === 1 ? [`--coverage.provider=${providers[0]}`] : []),
      ],
      plan: { coverage: [{ format: 'istanbul', path: join(report, 'coverage-final.json') }] },
    };
  const raw = rawFolder(scratch);
  return {
    args: [
      ...shared,
      '--coverage.provider=custom',
      `--coverage.customProviderModule=${assetPath('reporters/vitestCoverage.mjs')}`,
    ],
    env: { SIGHTLINE_V8_COVERAGE: raw },
    plan: { coverage: [{ format: 'v8', path: raw }] },
  };
}

/** jest brings its own. Thresholds of a project are its own business, not a reason for a run to fail. */
export function jestCoverage({ coverage, scratch }: Wish): CoverageOptions {
  if (coverage !== true) return { args: ['--coverage=false'] };
  const report = join(scratch, 'coverage');
  return {
    args: ['--coverage=true', '--coverageReporters=json', `--coverageDirectory=${report}`, '--coverageThreshold={}'],
    plan: { coverage: [{ format: 'istanbul', path: join(report, 'coverage-final.json') }] },
  };
}

/** Every process of Node writes what V8 counted when it ends: nothing has to be installed. */
export function nodeCoverage({ coverage, scratch }: Wish): CoverageOptions {
  if (coverage !== true) return { args: [] };
  const raw = rawFolder(scratch);
  return { args: [], env: { NODE_V8_COVERAGE: raw }, plan: { coverage: [{ format: 'v8', path: raw }] } };
}

function rawFolder(scratch: string): string {
  const folder = join(scratch, 'v8');
  mkdirSync(folder, { recursive: true });
  return folder;
}
