import type { RenameStages } from '../../rename/pipeline.ts';
import type { RenamePlace } from '../servers/backend.ts';
import { builtDeclarations } from './checks/builtDeclarations.ts';
import { builtUses } from './checks/builtUses.ts';
import { declaredOutside } from './checks/declaredOutside.ts';
import { dynamicMemberAccess } from './checks/dynamicMemberAccess.ts';
import { protocolMembers } from './checks/protocolMembers.ts';
import { commonJs } from './followers/commonJs.ts';
import { documentedParameters } from './followers/documentedParameters.ts';
import { keys } from './followers/keys.ts';
import { lostPlaces } from './followers/lostPlaces.ts';
import { namesakes } from './followers/namesakes.ts';
import { untypedUses } from './followers/untypedUses.ts';
import type { RenameState, RenameWidener, Tried } from './state.ts';
import { tryRound } from './trial.ts';

/** How TypeScript and JavaScript rename. */
export const stages: RenameStages<RenameState, RenamePlace, Tried> = {
  // What a CommonJS module exports comes first: it may change what is bound to the symbol.
  followers: [commonJs, untypedUses, documentedParameters],
  checks: [declaredOutside, builtDeclarations, protocolMembers, dynamicMemberAccess, builtUses],
  trial: tryRound,
  wideners: [namesakes, lostPlaces, keys].map(inTime),
  maxRounds: 4,
};

/** What a trial brought up is followed as long as there is time to try it out again. */
function inTime(widener: RenameWidener): RenameWidener {
  return {
    ...widener,
    follow: async (round) => (await round.time.within((waiting) => widener.follow({ ...round, waiting }))) ?? {},
  };
}
