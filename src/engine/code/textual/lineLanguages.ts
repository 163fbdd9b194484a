/** A kind of declaration that begins on a line of its own. The group `name` is its name. */
export interface LineRule {
  kind: string;
  pattern: RegExp;
  /** Only directly within symbols of these kinds; `file` is the top level. */
  within?: readonly string[];
  /** Several names may be declared at once: `case open, paid`. */
  many?: boolean;
  /** It has no body: it ends with its line. */
  short?: boolean;
}

/** A language without a grammar that loads: what is no code in it, what its lines declare, and where a declaration ends. */
export interface LineLanguage {
  /** Comments and literals, blanked before the lines are looked at. */
  blank: RegExp;
  rules: readonly LineRule[];
  /**
   * `braces`: at the brace that closes the first one opened; `statement`: at the semicolon outside of parentheses; `section`: before the
   * next declaration at the top; `indented`: with the indented lines that follow.
   */
  ends: 'braces' | 'statement' | 'section' | 'indented';
}

/** `a`, `a.b`, `"a b"`, `` `a` ``, `[a]`: a name in SQL. */
const sqlName = String.raw`(?<name>(?:(?:"[^"\n]+"|\x60[^\x60\n]+\x60|\[[^\]\n]+\]|[\p{L}_#@][\p{L}\d_$#@]*)\.)*(?:"[^"\n]+"|\x60[^\x60\n]+\x60|\[[^\]\n]+\]|[\p{L}_#@][\p{L}\d_$#@]*))`;
const sqlColumn = String.raw`^\s+(?!(?:constraint|primary|foreign|unique|check|index|key|exclude|like|period|fulltext)\b)${sqlName}\s+[\p{L}]`;

function creates(what: string, options = ''): RegExp {
  return new RegExp(
    String.raw`^\s*create\s+(?:or\s+(?:replace|alter)\s+)?${options}${what}\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?${sqlName}`,
    'iu',
  );
}

const types = ['class', 'struct', 'enum', 'protocol', 'extension', 'actor'];
const swiftModifiers = String.raw`^\s*(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:(?:public|private|fileprivate|internal|open|package|final|static|class|override|mutating|nonmutating|convenience|required|lazy|weak|unowned|indirect|async|nonisolated|prefix|postfix|infix|dynamic|isolated|distributed)(?:\(\w+\))?\s+)*`;

function swift(declaration: string): RegExp {
  return new RegExp(`${swiftModifiers}${declaration}`, 'u');
}

const dartTypes = ['class', 'mixin', 'extension', 'enum'];
const dartModifiers = String.raw`^\s*(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:(?:abstract|base|final|sealed|interface|external|static|late|covariant|const|var|factory|required)\s+)*`;
const dartType = String.raw`(?!return\b|await\b|throw\b|new\b|else\b|case\b|import\b|export\b|part\b|library\b)[\p{L}_][\p{L}\d_.]*(?:<[^;{}()]*>)?\??`;

function dart(declaration: string): RegExp {
  return new RegExp(`${dartModifiers}${declaration}`, 'u');
}

const protoTypes = ['message', 'oneof', 'extend'];
const graphqlTypes = ['type', 'interface', 'input'];

export const lineLanguages: Readonly<Record<string, LineLanguage>> = {
  sql: {
    blank: /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)/g,
    rules: [
      {
        kind: 'table',
        pattern: creates(
          'table',
          '(?:(?:global|local)\\s+)?(?:temp(?:orary)?\\s+|unlogged\\s+|external\\s+|foreign\\s+|virtual\\s+)?',
        ),
      },
      {
        kind: 'view',
        pattern: creates(
          'view',
          '(?:temp(?:orary)?\\s+)?(?:recursive\\s+)?(?:materialized\\s+)?(?:algorithm\\s*=\\s*\\w+\\s+)?',
        ),
      },
      { kind: 'function', pattern: creates('(?:function|aggregate)') },
      { kind: 'procedure', pattern: creates('(?:procedure|proc)') },
      { kind: 'trigger', pattern: creates('(?:constraint\\s+)?trigger') },
      { kind: 'index', pattern: creates('index', '(?:unique\\s+)?(?:clustered\\s+|nonclustered\\s+|fulltext\\s+)?') },
      { kind: 'type', pattern: creates('(?:type|domain)') },
      { kind: 'sequence', pattern: creates('sequence') },
      { kind: 'schema', pattern: creates('(?:schema|database)') },
      { kind: 'column', pattern: new RegExp(sqlColumn, 'iu'), within: ['table'], short: true },
    ],
    ends: 'statement',
  },
  dockerfile: {
    blank: /^[ \t]*#[^\n]*/gm,
    rules: [
      { kind: 'stage', pattern: /^\s*from\s+(?:--\S+\s+)*\S+\s+as\s+(?<name>\S+)/i },
      { kind: 'stage', pattern: /^\s*from\s+(?:--\S+\s+)*(?<name>\S+)/i },
      { kind: 'argument', pattern: /^\s*arg\s+(?<name>\w+)/i },
      { kind: 'variable', pattern: /^\s*env\s+(?<name>\w+)/i },
      {
        kind: 'instruction',
        pattern: /^\s*(?<name>(?:entrypoint|cmd|expose|healthcheck|user|workdir|volume)\b.*?)\s*\\?$/i,
      },
    ],
    ends: 'section',
  },
  makefile: {
    blank: /(?:^|[ \t])#[^\n]*/gm,
    rules: [
      { kind: 'variable', pattern: /^(?:export\s+|override\s+)*(?<name>[\w.-]+)\s*(?:[:+?!]{0,3}=)/ },
      { kind: 'macro', pattern: /^define\s+(?<name>[\w.-]+)/ },
      {
        kind: 'target',
        pattern:
          /^(?!\.(?:PHONY|SUFFIXES|DEFAULT|PRECIOUS|INTERMEDIATE|SECONDARY|SILENT|IGNORE)\b)(?<name>[^\s:=#][^:=#]*?)\s*::?(?!=)(?![^=]*[^!<>]=)/,
      },
    ],
    ends: 'indented',
  },
  swift: {
    blank: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"/g,
    rules: [
      { kind: 'class', pattern: swift(String.raw`class\s+(?!func\b|var\b|let\b)(?<name>[\p{L}_][\p{L}\d_]*)`) },
      ...(['struct', 'enum', 'protocol', 'actor'] as const).map((kind) => ({
        kind,
        pattern: swift(String.raw`${kind}\s+(?<name>[\p{L}_][\p{L}\d_]*)`),
      })),
      { kind: 'extension', pattern: swift(String.raw`extension\s+(?<name>[\p{L}_][\p{L}\d_.]*)`) },
      { kind: 'function', pattern: swift(String.raw`func\s+(?<name>[\p{L}_][\p{L}\d_]*|[-+*/<>=!&|^~%]+)`) },
      { kind: 'constructor', pattern: swift(String.raw`(?<name>init)[?!]?\s*[(<]`), within: types },
      { kind: 'method', pattern: swift(String.raw`(?<name>deinit|subscript)\b`), within: types },
      { kind: 'type', pattern: swift(String.raw`(?:typealias|associatedtype)\s+(?<name>[\p{L}_][\p{L}\d_]*)`) },
      { kind: 'enum member', pattern: swift(String.raw`case\s+(?<name>[\p{L}_].*)`), within: ['enum'], many: true },
      { kind: 'property', pattern: swift(String.raw`(?:let|var)\s+(?<name>[\p{L}_][\p{L}\d_]*)`), within: types },
      { kind: 'variable', pattern: swift(String.raw`(?:let|var)\s+(?<name>[\p{L}_][\p{L}\d_]*)`), within: ['file'] },
    ],
    ends: 'braces',
  },
  dart: {
    blank:
      /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g,
    rules: [
      { kind: 'class', pattern: dart(String.raw`class\s+(?<name>[\p{L}_][\p{L}\d_]*)`), within: ['file'] },
      { kind: 'mixin', pattern: dart(String.raw`mixin\s+(?:class\s+)?(?<name>[\p{L}_][\p{L}\d_]*)`), within: ['file'] },
      { kind: 'enum', pattern: dart(String.raw`enum\s+(?<name>[\p{L}_][\p{L}\d_]*)`), within: ['file'] },
      {
        kind: 'extension',
        pattern: dart(String.raw`extension\s+(?:type\s+)?(?<name>[\p{L}_][\p{L}\d_]*)`),
        within: ['file'],
      },
      { kind: 'type', pattern: dart(String.raw`typedef\s+(?<name>[\p{L}_][\p{L}\d_]*)`), within: ['file'] },
      {
        kind: 'property',
        pattern: dart(String.raw`(?:${dartType}\s+)?(?:get|set)\s+(?<name>[\p{L}_][\p{L}\d_]*)`),
        within: [...dartTypes, 'file'],
      },
      {
        kind: 'constructor',
        pattern: dart(String.raw`(?<name>\p{Lu}[\p{L}\d_]*(?:\.[\p{L}_][\p{L}\d_]*)?)\s*\(`),
        within: dartTypes,
      },
      {
        kind: 'function',
        pattern: dart(String.raw`${dartType}\s+(?<name>[\p{L}_][\p{L}\d_]*|operator\s*\S+?)\s*(?:<[^;{}()]*>)?\(`),
        within: [...dartTypes, 'file'],
      },
      {
        kind: 'field',
        pattern: dart(String.raw`${dartType}\s+(?<name>[\p{L}_][\p{L}\d_]*)\s*(?:=|;)`),
        within: dartTypes,
      },
      {
        kind: 'variable',
        pattern: dart(String.raw`(?:${dartType}\s+)?(?<name>[\p{L}_][\p{L}\d_]*)\s*=(?!=)`),
        within: ['file'],
      },
      {
        kind: 'enum member',
        pattern: /^\s*(?<name>[\p{Ll}_][\p{L}\d_]*)\s*(?:\([^)]*\))?\s*[,;]?\s*$/u,
        within: ['enum'],
      },
    ],
    ends: 'braces',
  },
  proto: {
    blank: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g,
    rules: [
      { kind: 'message', pattern: /^\s*message\s+(?<name>\w+)/ },
      { kind: 'enum', pattern: /^\s*enum\s+(?<name>\w+)/ },
      { kind: 'service', pattern: /^\s*service\s+(?<name>\w+)/ },
      { kind: 'method', pattern: /^\s*rpc\s+(?<name>\w+)/, within: ['service'] },
      { kind: 'oneof', pattern: /^\s*oneof\s+(?<name>\w+)/, within: ['message'] },
      { kind: 'extend', pattern: /^\s*extend\s+(?<name>[\w.]+)/ },
      {
        kind: 'field',
        pattern: /^\s*(?:optional\s+|required\s+|repeated\s+)?(?:map\s*<[^>]*>|[\w.]+)\s+(?<name>\w+)\s*=\s*\d/,
        within: protoTypes,
      },
      { kind: 'enum member', pattern: /^\s*(?<name>\w+)\s*=\s*-?\w/, within: ['enum'] },
      { kind: 'package', pattern: /^\s*package\s+(?<name>[\w.]+)/ },
    ],
    ends: 'braces',
  },
  graphql: {
    blank: /#[^\n]*|"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"/g,
    rules: [
      ...(['type', 'interface', 'input', 'enum', 'union', 'scalar'] as const).map((kind) => ({
        kind,
        pattern: new RegExp(String.raw`^\s*(?:extend\s+)?${kind}\s+(?<name>\w+)`),
        within: ['file'],
      })),
      { kind: 'directive', pattern: /^\s*directive\s+(?<name>@\w+)/ },
      { kind: 'schema', pattern: /^\s*(?:extend\s+)?(?<name>schema)\b/ },
      { kind: 'operation', pattern: /^\s*(?:query|mutation|subscription)\s+(?<name>\w+)/, within: ['file'] },
      { kind: 'fragment', pattern: /^\s*fragment\s+(?<name>\w+)\s+on\b/ },
      { kind: 'field', pattern: /^\s*(?<name>\w+)\s*(?:\([^)]*\)?\s*)?:/, within: graphqlTypes },
      { kind: 'enum member', pattern: /^\s*(?<name>\w+)\s*(?:@.*)?$/, within: ['enum'] },
    ],
    ends: 'braces',
  },
};

const names: readonly { language: string; pattern: RegExp }[] = [
  { language: 'dockerfile', pattern: /^(?:dockerfile|containerfile)(?:\..+)?$|\.(?:dockerfile|containerfile)$/i },
  { language: 'makefile', pattern: /^(?:gnu)?makefile(?:\..+)?$|\.(?:mk|mak)$/i },
  { language: 'graphql', pattern: /\.(?:gql|graphqls)$/i },
  { language: 'sql', pattern: /\.(?:ddl|psql|pgsql|plsql|tsql|mysql)$/i },
];

/** The language of a file by its name, where the extension does not tell: `Dockerfile`, `Makefile`. */
export function languageByName(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return names.find(({ pattern }) => pattern.test(name))?.language;
}
