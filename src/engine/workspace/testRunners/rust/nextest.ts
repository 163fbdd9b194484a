import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunPlan, RunRequest } from '../../tests/model.ts';
import { mark, NextestEvents } from './nextestEvents.ts';
import type { RustFunction } from './rustSource.ts';

/** Runs as Cargo's `runner` around each test, which has a process of its own: nextest tells of a test only when all of its binary are over. */
const tellAndRun = `case " $* " in *" --list "*) exec "$@";; esac
before= name=
for word do [ "$before" = --exact ] && name=$word; before=$word; done
printf '${mark} started 0 %s\\t%s\\n' "$1" "$name" >> "$SIGHTLINE_TEST_EVENTS"
"$@"
code=$?
printf '${mark} ended %s %s\\t%s\\n' "$code" "$1" "$name" >> "$SIGHTLINE_TEST_EVENTS"
[ "$code" -gt 128 ] && kill -"$((code - 128))" $$
exit "$code"`;

/** Builds as Cargo would, so that what the compiler says is data; lists; runs. */
const buildListAndRun = `nextest=$1
shift
"$CARGO" test --no-run --message-format=json "$@" || exit
"$nextest" nextest list --message-format json "$@" || exit
echo
[ -n "$SIGHTLINE_LIST_ONLY" ] && exit 0
"$nextest" nextest run --no-fail-fast --message-format libtest-json-plus --config "$SIGHTLINE_RUNNER" "$@" > "$SIGHTLINE_RESULTS"
code=$?
printf '${mark} over %s\\n' "$code"
exit "$code"`;

/** Whether a Cargo workspace says that its tests are run by nextest: by a configuration, or by a command of Cargo's. */
export function wantsNextest(folder: string): boolean {
  if (existsSync(join(folder, '.config', 'nextest.toml'))) return true;
  return ['config.toml', 'config'].some((name) => /^[^#\n]*=.*\bnextest\b/m.test(read(join(folder, '.cargo', name))));
}

/** `cargo nextest run`; undefined when it is not installed. */
export async function nextestPlan(
  { package: { folder }, eventsFile, scratch, locate }: RunRequest,
  choice: { targets: readonly string[]; filters: readonly string[] },
  source: readonly RustFunction[],
): Promise<RunPlan | undefined> {
  const nextest = await locate('cargo-nextest').catch(() => undefined);
  if (nextest === undefined) return undefined;
  const results = join(scratch, 'nextest.jsonl');
  const { targets, filters } = choice;
  return {
    command: [
      ...['sh', '-c', buildListAndRun, 'sh', nextest],
      ...targets,
      ...(filters.length === 0 ? [] : ['--', ...filters]),
    ],
    cwd: folder,
    env: {
      CARGO: await locate('cargo'),
      CARGO_TERM_COLOR: 'never',
      // The form has been the same since 0.9.56 and is still called experimental.
      NEXTEST_EXPERIMENTAL_LIBTEST_JSON: '1',
      SIGHTLINE_RUNNER: `target.'cfg(all())'.runner=${JSON.stringify(['sh', '-c', tellAndRun, 'sh'])}`,
      SIGHTLINE_RESULTS: results,
      SIGHTLINE_TEST_EVENTS: eventsFile,
    },
    stdoutIsEvents: true,
    reader: new NextestEvents(folder, results, source, (name) => isChosen(name, filters)),
    notes: filters.length === 0 ? ['nextest runs no examples of documentation: cargo test --doc does.'] : [],
  };
}

/** As libtest's filters do. */
function isChosen(name: string, filters: readonly string[]): boolean {
  if (filters.length === 0) return true;
  return filters[0] === '--exact' ? filters.includes(name) : filters.some((each) => name.includes(each));
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
