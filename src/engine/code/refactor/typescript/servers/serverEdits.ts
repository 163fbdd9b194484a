import { PeerError } from '../../../../../base/errors.ts';
import type { Range } from '../../../../../base/positions.ts';
import type { RefactorWaiting } from '../../model.ts';
import type { FileEdits } from './trial.ts';
import { tsPosition, type TsFileChanges, type TypeScriptService } from './tsService.ts';
import { refuse } from '../../refusals/refuse.ts';

export interface TsAction {
  refactor: string;
  name: string;
  description: string;
  kind: string;
  notApplicableReason?: string;
}

interface TsRefactorInfo {
  name: string;
  actions: { name: string; description: string; kind?: string; notApplicableReason?: string }[];
}

interface TsEdits {
  edits: TsFileChanges[];
  renameFilename?: string;
  renameLocation?: TsPlace;
  notApplicableReason?: string;
}

interface TsPlace {
  line: number;
  offset: number;
}

/** The refactorings the server offers for a range, those it refuses with their reason included. */
export async function actionsFor(
  service: TypeScriptService,
  path: string,
  range: Range,
  kind: string,
  waiting: RefactorWaiting,
): Promise<TsAction[]> {
  const found = await service.request<TsRefactorInfo[]>(
    'getApplicableRefactors',
    { file: path, ...tsRange(range), triggerReason: 'invoked', kind, includeInteractiveActions: true },
    waiting,
  );
  return found.flatMap((info) =>
    info.actions.map((action) => ({
      refactor: info.name,
      name: action.name,
      description: action.description,
      kind: action.kind ?? kind,
      notApplicableReason: action.notApplicableReason,
    })),
  );
}

export interface ServerEdits {
  edits: FileEdits;
  /** The place of a name that the server made up, in the text after the edits. */
  madeUpName?: { path: string; line: number; column: number };
}

export async function editsFor(
  service: TypeScriptService,
  path: string,
  range: Range,
  action: TsAction,
  waiting: RefactorWaiting,
  interactive?: { targetFile: string },
): Promise<ServerEdits> {
  const answer = await service
    .request<TsEdits>(
      'getEditsForRefactor',
      {
        file: path,
        ...tsRange(range),
        refactor: action.refactor,
        action: action.name,
        ...(interactive === undefined ? {} : { interactiveRefactorArguments: interactive }),
      },
      waiting,
    )
    .catch((error: unknown) => {
      const failure =
        error instanceof PeerError ? /Debug Failure\.(?: False expression:)?([^\n]*)/.exec(error.message) : null;
      if (failure === null) throw error;
      throw refuse('serverFails', { failure: failure[1]?.trim() ?? '' });
    });
  if (answer.notApplicableReason !== undefined) throw refuse('engineSays', { reason: answer.notApplicableReason });
  if (answer.edits.length === 0) throw refuse('serverChangesNothing');
  const edits = await service.editsOf(answer.edits);
  if (answer.renameLocation === undefined || answer.renameFilename === undefined) return { edits };
  const { line, offset } = answer.renameLocation;
  return { edits, madeUpName: { path: answer.renameFilename, line, column: offset } };
}

function tsRange(range: Range): { startLine: number; startOffset: number; endLine: number; endOffset: number } {
  const start = tsPosition(range.start);
  const end = tsPosition(range.end);
  return { startLine: start.line, startOffset: start.offset, endLine: end.line, endOffset: end.offset };
}
