import { stripVTControlCharacters } from 'node:util';
import { clip } from '../../../../../base/text/textBudget.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { Difference, ExceptionInfo, RelatedException } from '../../../model.ts';
import { type Differences, differencesSource } from '../inProgram/differences.ts';
import type { Isolate } from '../pause/isolate.ts';
import { isLibraryPath, pathOfUrl } from '../scripts/scripts.ts';

type RemoteObject = Protocol.Runtime.RemoteObject;

const maxDifferences = 12;
const maxDifferenceChars = 160;
const maxRelated = 8;
const maxFields = 4;
const maxFieldChars = 60;
const maxDepth = 3;

/** Where the two sides of a failed comparison differ. */
export async function differencesOf(
  isolate: Isolate,
  error: RemoteObject,
): Promise<Pick<ExceptionInfo, 'differences' | 'moreDifferences'>> {
  if (error.objectId === undefined) return {};
  const answer = await isolate.session.send('Runtime.callFunctionOn', {
    objectId: error.objectId,
    functionDeclaration: differencesSource,
    arguments: [{ value: maxDifferences }, { value: maxDifferenceChars }],
    returnByValue: true,
    silent: true,
    throwOnSideEffect: true,
  });
  const value: unknown = answer.result.value;
  if (answer.exceptionDetails !== undefined || typeof value !== 'object' || value === null) return {};
  // Made by our own function, see differences.ts.
  const { found, more } = value as Differences;
  if (found.length === 0) return {};
  const differences = found.map(([path, [actual, expected]]): Difference => ({
    path,
    ...(typeof actual === 'string' ? { actual } : {}),
    ...(typeof expected === 'string' ? { expected } : {}),
  }));
  return { differences, ...(more > 0 ? { moreDifferences: more } : {}) };
}

/** The causes of an error and the members of a group, each with the place where the user's own code threw it. */
export async function relatedExceptions(
  isolate: Isolate,
  { cause, errors }: { cause?: RemoteObject; errors?: RemoteObject },
  depth = 0,
): Promise<RelatedException[]> {
  if (depth >= maxDepth) return [];
  const members = errors === undefined ? [] : await isolate.values.elements(errors, maxRelated);
  const found = await Promise.all([
    ...(cause === undefined ? [] : [related(isolate, 'cause', cause, depth)]),
    ...members.map((member) => related(isolate, 'member', member, depth)),
  ]);
  return found.flat().slice(0, maxRelated);
}

async function related(
  isolate: Isolate,
  relation: 'cause' | 'member',
  error: RemoteObject,
  depth: number,
): Promise<RelatedException[]> {
  const limits = { maxValueChars: 240, maxStringChars: 160, maxItems: 8, depth: 2 };
  if (error.objectId === undefined || error.subtype !== 'error') {
    if (error.type === 'undefined') return [];
    const value = await isolate.values.present('cause', error, limits);
    return [{ relation, type: value.type, message: value.value, depth }];
  }
  const [details, place] = await Promise.all([
    isolate.values.errorDetails(error, limits),
    placeOfError(isolate, error),
  ]);
  return [
    {
      relation,
      type: details.name ?? error.className ?? 'Error',
      message: clip(stripVTControlCharacters(details.message ?? ''), 1000),
      fields: details.fields
        .filter(({ name }) => name !== 'cause' && name !== 'errors')
        .slice(0, maxFields)
        .map(({ name, value }) => `${name} = ${clip(value, maxFieldChars)}`),
      ...place,
      depth,
    },
    ...(await relatedExceptions(isolate, details.objects, depth + 1)),
  ];
}

/** The first frame of the user's own code in an error's stack, as V8 tells it without running anything. */
async function placeOfError(
  isolate: Isolate,
  error: RemoteObject,
): Promise<Pick<RelatedException, 'location' | 'functionName'>> {
  for (const [, name = '', url = '', line, column] of (error.description ?? '').matchAll(stackLine)) {
    const path = pathOfUrl(url);
    if (path === undefined || isLibraryPath(path)) continue;
    const script = [...isolate.scripts.byId.values()].find((each) => each.path === path);
    await script?.map();
    const located = script?.locate(Number(line) - 1, Number(column) - 1);
    // Runners that compile in place have put the places of the source into the stack themselves.
    const isSelf = located?.file === undefined || located.file === path;
    const location = isSelf ? { file: path, line: Number(line) } : located;
    return { location, ...(name === '' ? {} : { functionName: name.replace(/^(Module|Object)\./, '') }) };
  }
  return {};
}

const stackLine = /^ +at (?:async )?(?:(.+?) (?:\[as \S+\] )?\()?((?:file:\/\/)?\/[^()\n]+?):(\d+):(\d+)\)?$/gm;
