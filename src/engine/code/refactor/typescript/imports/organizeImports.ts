import type { RefactorWaiting } from '../../model.ts';
import { editedTexts } from '../servers/trial.ts';
import type { TsFileChanges, TypeScriptService } from '../servers/tsService.ts';

/** The text of a file with its imports sorted, merged and without those nothing uses. */
export async function organizeImports(
  service: TypeScriptService,
  path: string,
  waiting: RefactorWaiting,
): Promise<string> {
  await service.formatFor(path);
  const answer = await service.request<TsFileChanges[]>(
    'organizeImports',
    { scope: { type: 'file', args: { file: path } }, mode: 'All' },
    waiting,
  );
  const texts = await editedTexts(service, await service.editsOf(answer));
  return texts.get(path) ?? (await service.text(path)).text;
}
