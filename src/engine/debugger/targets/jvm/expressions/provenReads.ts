import { isObject, type JdwpValue } from '../../../../../protocol/jdwp/packets.ts';

/** Methods of the platform that read and do nothing else, whatever they are given. */
const readers: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^java\.lang\.String$/,
    /^(?:length|charAt|isEmpty|isBlank|equals|equalsIgnoreCase|startsWith|endsWith|indexOf|lastIndexOf|contains|substring|trim|strip|toUpperCase|toLowerCase|compareTo|hashCode|toString|codePointAt|repeat)$/,
  ],
  [
    /^java\.lang\.(?:Integer|Long|Short|Byte|Character|Boolean|Float|Double)$/,
    /^(?:\w+Value|equals|compareTo|hashCode|toString|compare|is\w+|max|min|sum|valueOf|parse\w+|toHexString|toBinaryString)$/,
  ],
  [/^java\.lang\.Math$/, /^(?!random$)\w+$/],
  [/^java\.lang\.Enum$/, /^(?:name|ordinal)$/],
  [
    /^java\.util\.(?:ArrayList|LinkedList|ArrayDeque|Vector|Stack|Arrays\$ArrayList|ImmutableCollections\$\w+|HashMap|TreeMap|LinkedHashMap|HashSet|TreeSet|LinkedHashSet|PriorityQueue|concurrent\.\w+|Collections\$\w+)$/,
    /^(?:size|isEmpty|getFirst|getLast|peek|peekFirst|peekLast)$/,
  ],
  [/^java\.util\.(?:ArrayList|LinkedList|Vector|Stack|Arrays\$ArrayList|ImmutableCollections\$\w+)$/, /^get$/],
  [/^java\.util\.Optional$/, /^(?:isPresent|isEmpty|get)$/],
  [
    /^java\.math\.Big(?:Integer|Decimal)$/,
    /^(?:compareTo|signum|scale|intValue|longValue|doubleValue|toString|equals|add|subtract|multiply|negate|abs)$/,
  ],
];

/** Looked up by key: reads only as far as the keys' own methods do, so only with keys of the platform. */
const lookups = /^(?:get|containsKey|contains|getOrDefault|indexOf)$/;
const collections =
  /^java\.util\.(?:HashMap|LinkedHashMap|HashSet|LinkedHashSet|ArrayList|ImmutableCollections\$\w+|concurrent\.ConcurrentHashMap)$/;

/** Whether a call can be proven to only read. What a user's class does cannot. */
export function isProvenRead(className: string, method: string, args: readonly JdwpValue[]): boolean {
  if (readers.some(([owner, name]) => owner.test(className) && name.test(method))) return true;
  const isPlainKey = args.every((arg) => !isObject(arg) || arg.tag === 's' || arg.objectId === 0);
  return isPlainKey && collections.test(className) && lookups.test(method);
}
