import type { Conflict } from '../model.ts';

/** What gets the new name, as far as it is known. */
export interface Following<Place> {
  /** What the engine binds to the symbol. */
  places: readonly Place[];
  /** What means the symbol without being bound to it: strings, documentation, uses on objects of unknown type. */
  extra: readonly Place[];
  notes: readonly string[];
  conflicts: readonly Conflict[];
}

/**
 * Finds places that must follow the ones that are known. `places`, if given, take the place of those known so far; the rest is added.
 */
export interface Follower<State, Place> {
  readonly name: string;
  appliesTo(state: State & Following<Place>): boolean | Promise<boolean>;
  follow(state: State & Following<Place>): Promise<Partial<Following<Place>>>;
}

/** Looks for reasons against a rename that no trial shows. It may also refuse at once. */
export interface Check<State, Place> {
  readonly name: string;
  appliesTo(state: State & Following<Place>): boolean | Promise<boolean>;
  check(state: State & Following<Place>): Promise<readonly Conflict[]>;
}

/** How a language renames. The order of each list is the order in which its members are asked; each sees what those before it added. */
export interface RenameStages<State, Place, Tried> {
  followers: readonly Follower<State, Place>[];
  checks: readonly Check<State, Place>[];
  trial(state: State & Following<Place>): Promise<Tried>;
  /** Followers of what a trial brings up: with what they find, a rename begins anew. */
  wideners: readonly Follower<State & Tried, Place>[];
  /** How often a rename may be widened. */
  maxRounds: number;
}

export interface Renaming<Place, Tried> extends Following<Place> {
  /** What the checks have against it. */
  reasons: readonly Conflict[];
  tried: Tried;
}

/** Places → followers → checks → trial, again as long as the trial brings up more places. */
export async function carryThrough<State extends object, Place, Tried extends object>(
  stages: RenameStages<State, Place, Tried>,
  state: State,
  places: readonly Place[],
): Promise<Renaming<Place, Tried>> {
  let found: Following<Place> = { places, extra: [], notes: [], conflicts: [] };
  for (let round = 0; ; round++) {
    const followed = await followAll(stages.followers, state, found);
    const reasons = await reasonsOf(stages.checks, { ...state, ...followed });
    const tried = await stages.trial({ ...state, ...followed });
    const tellings = { ...found, places: followed.places, conflicts: followed.conflicts };
    const wider =
      round < stages.maxRounds ? await followAll(stages.wideners, { ...state, ...tried }, tellings) : tellings;
    const isWider = wider.places.length > followed.places.length || wider.extra.length > found.extra.length;
    if (!isWider) return { ...followed, reasons, tried };
    found = { ...wider, conflicts: [] };
  }
}

/** One reason is enough for each place. */
async function reasonsOf<State, Place>(
  checks: readonly Check<State, Place>[],
  state: State & Following<Place>,
): Promise<Conflict[]> {
  const reasons: Conflict[] = [];
  const isKnown = ({ file, line, column }: Conflict): boolean =>
    reasons.some((one) => one.file === file && one.line === line && one.column === column);
  for (const one of checks) {
    if (!(await one.appliesTo(state))) continue;
    const found = await one.check(state);
    reasons.push(...found.filter((reason) => reason.file === undefined || !isKnown(reason)));
  }
  return reasons;
}

async function followAll<State extends object, Place>(
  followers: readonly Follower<State, Place>[],
  state: State,
  from: Following<Place>,
): Promise<Following<Place>> {
  let known = from;
  for (const one of followers) {
    if (!(await one.appliesTo({ ...state, ...known }))) continue;
    const { places, extra = [], notes = [], conflicts = [] } = await one.follow({ ...state, ...known });
    known = {
      places: places ?? known.places,
      extra: [...known.extra, ...extra],
      notes: [...known.notes, ...notes],
      conflicts: [...known.conflicts, ...conflicts],
    };
  }
  return known;
}
