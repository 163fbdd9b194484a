import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';

type RemoteObject = Protocol.Runtime.RemoteObject;

const maxObjects = 300;
const maxProperties = 2000;

/**
 * Whether a value is data through and through: arrays, plain objects and regular expressions without a memory, made of data
 * properties, with nothing behind them that could run. V8 tells proxies apart, which the program itself cannot.
 */
export async function isPlainData(session: CdpSession, value: RemoteObject): Promise<boolean> {
  let level = [value];
  let objects = 0;
  const seen = new Set<string>();
  while (level.length > 0) {
    objects += level.length;
    if (objects > maxObjects) return false;
    if (!level.every(isPlainKind) || !(await haveOrdinaryPrototypes(session, level))) return false;
    const inside = await Promise.all(level.map((each) => valuesIn(session, each)));
    if (inside.includes(undefined)) return false;
    level = inside
      .flatMap((each) => each ?? [])
      .filter((each) => each.objectId !== undefined && !seen.has(each.objectId));
    for (const each of level) seen.add(each.objectId ?? '');
  }
  return true;
}

function isPlainKind({ type, subtype, description }: RemoteObject): boolean {
  if (type !== 'object') return false;
  // A global or sticky one remembers where it was.
  if (subtype === 'regexp') return !/[gy][a-z]*$/.test(/[a-z]*$/.exec(description ?? 'g')?.[0] ?? '');
  return subtype === undefined || subtype === 'array';
}

async function haveOrdinaryPrototypes(session: CdpSession, objects: readonly RemoteObject[]): Promise<boolean> {
  const answer = await session.send('Runtime.callFunctionOn', {
    objectId: objects[0]?.objectId ?? '',
    functionDeclaration: `function(...objects) {
      return objects.every((each) => {
        const above = Object.getPrototypeOf(each);
        return above === null || above === Object.prototype || above === Array.prototype || above === RegExp.prototype;
      });
    }`,
    arguments: objects.map(({ objectId }) => ({ objectId: objectId ?? '' })),
    silent: true,
    throwOnSideEffect: true,
  });
  return answer.result.value === true;
}

/** The values of its own properties; undefined when one of them is a function, a getter, or not what it seems. */
async function valuesIn(session: CdpSession, object: RemoteObject): Promise<RemoteObject[] | undefined> {
  const { result } = await session.send('Runtime.getProperties', {
    objectId: object.objectId ?? '',
    ownProperties: true,
  });
  if (result.length > maxProperties) return undefined;
  const found: RemoteObject[] = [];
  for (const { name, value, isOwn } of result) {
    if (isOwn !== true || name === '__proto__') continue;
    if (value === undefined || value.type === 'function') return undefined;
    if (name === 'length' && value.type !== 'number') return undefined;
    found.push(value);
  }
  return found;
}
