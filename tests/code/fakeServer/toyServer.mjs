// A language server for a toy language, to be told how to misbehave. In `.toy` files `def NAME` declares and NAME uses. It keeps an
// index of the files it has heard of; while it is loading it knows only the open documents, and answers all the same, as many servers do.
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const options = JSON.parse(process.argv[2] ?? '{}');
const documents = new Map();
const facts = { opened: [], changed: [], closed: [], watched: [], configuration: undefined, applied: undefined };
const failures = [];
let root = '';
let loading = options.loading === true;
let nextId = 1;
const waiting = new Map();
/** With `loadedBy`: nothing is answered before a file of that name stands in the project; meanwhile it tells how far it has come. */
const loaded = options.loadedBy === undefined ? undefined : new Promise((resolve) => waitForFile(resolve));
if (options.log) appendFileSync(options.log, `${process.pid}\n`);

const requests = {
  initialize: (params) => {
    root = fileURLToPath(params.rootUri);
    return {
      capabilities: {
        textDocumentSync: 1,
        referencesProvider: true,
        definitionProvider: true,
        hoverProvider: true,
        documentSymbolProvider: true,
        workspaceSymbolProvider: true,
        executeCommandProvider: { commands: ['toy.edit'] },
      },
      serverInfo: { name: 'toy', version: '1.0' },
    };
  },
  shutdown: () => null,
  'textDocument/references': ({ textDocument, position }) => places(wordAt(textDocument.uri, position)),
  'textDocument/definition': ({ textDocument, position }) =>
    places(wordAt(textDocument.uri, position)).filter(({ uri, range }) =>
      lineOf(uri, range.start.line).slice(0, range.start.character).endsWith('def '),
    ),
  'textDocument/hover': () => null,
  'textDocument/documentSymbol': ({ textDocument }) =>
    textOf(textDocument.uri)
      .split(/\r?\n/)
      .flatMap((line, index) =>
        [...line.matchAll(/def ([\p{L}\p{Extended_Pictographic}\w]+)/gu)].map((match) => {
          const range = rangeOf(index, match.index + 4, match[1]);
          return { name: match[1], kind: 12, range, selectionRange: range };
        }),
      ),
  'workspace/symbol': ({ query }) => places(query).map((location) => ({ name: query, kind: 12, location })),
  'workspace/executeCommand': async ({ arguments: [edit] }) => {
    facts.applied = await ask('workspace/applyEdit', { edit });
    return null;
  },
  'toy/facts': () => facts,
};

const notifications = {
  initialized: async () => {
    if (loading) notify('$/progress', { token: 'load', value: { kind: 'begin', title: 'Indexing', percentage: 0 } });
    facts.configuration = await ask('workspace/configuration', {
      items: [{ section: 'toy' }, { section: 'toy.unknown' }, {}],
    });
  },
  'textDocument/didOpen': ({ textDocument }) => {
    documents.set(textDocument.uri, textDocument.text);
    facts.opened.push(name(textDocument.uri));
  },
  'textDocument/didChange': ({ textDocument, contentChanges }) => {
    documents.set(textDocument.uri, contentChanges[0].text);
    facts.changed.push(name(textDocument.uri));
  },
  'textDocument/didClose': ({ textDocument }) => {
    documents.delete(textDocument.uri);
    facts.closed.push(name(textDocument.uri));
  },
  'workspace/didChangeWatchedFiles': ({ changes }) =>
    facts.watched.push(...changes.map(({ uri, type }) => `${type} ${name(uri)}`)),
  'toy/progress': ({ percentage }) =>
    notify('$/progress', { token: 'load', value: { kind: 'report', percentage, message: 'files' } }),
  'toy/loaded': () => {
    loading = false;
    notify('$/progress', { token: 'load', value: { kind: 'end' } });
  },
  /** The next requests of a method fail with a code, never answer, or end the process. */
  'toy/fail': (failure) => failures.push(failure),
  'toy/publish': (params) => notify('textDocument/publishDiagnostics', params),
  exit: () => process.exit(0),
};

function waitForFile(done) {
  let ticks = 0;
  const timer = setInterval(() => {
    if (root === '') return;
    if (ticks === 0)
      notify('$/progress', { token: 'load', value: { kind: 'begin', title: 'Indexing', percentage: 0 } });
    if (!existsSync(join(root, options.loadedBy))) return notifications['toy/progress']({ percentage: ++ticks });
    clearInterval(timer);
    notifications['toy/loaded']();
    done();
  }, 500);
}

function places(word) {
  const names = loading ? [] : readdirSync(root).filter((file) => file.endsWith(options.extension ?? '.toy'));
  const uris = new Set([...documents.keys(), ...names.map((file) => pathToFileURL(join(root, file)).href)]);
  return [...uris].flatMap((uri) =>
    textOf(uri)
      .split(/\r?\n/)
      .flatMap((line, index) =>
        words(line)
          .filter((found) => found.word === word)
          .map((found) => ({ uri, range: rangeOf(index, found.at, word) })),
      ),
  );
}

function words(line) {
  return [...line.matchAll(/[\p{L}\p{Extended_Pictographic}\w]+/gu)].map((match) => ({
    word: match[0],
    at: match.index,
  }));
}

function wordAt(uri, { line, character }) {
  return words(lineOf(uri, line)).find(({ word, at }) => at <= character && character <= at + word.length)?.word ?? '';
}

function rangeOf(line, character, word) {
  return { start: { line, character }, end: { line, character: character + word.length } };
}

function lineOf(uri, line) {
  return textOf(uri).split(/\r?\n/)[line] ?? '';
}

function textOf(uri) {
  return documents.get(uri) ?? readFileSync(fileURLToPath(uri), 'utf8');
}

function name(uri) {
  return fileURLToPath(uri).slice(root.length + 1);
}

async function receive(message) {
  if (message.method === undefined) {
    waiting.get(message.id)?.(message.result);
    return;
  }
  if (message.id === undefined) {
    await notifications[message.method]?.(message.params);
    return;
  }
  const failure = failures.find(({ method, times }) => method === message.method && times > 0);
  if (failure !== undefined) {
    failure.times--;
    if (failure.exit !== undefined) process.exit(failure.exit);
    if (failure.code !== undefined) send({ id: message.id, error: { code: failure.code, message: 'as told' } });
    return;
  }
  if (options.loadedBy !== undefined && message.method !== 'initialize' && message.method !== 'shutdown') await loaded;
  const handler = requests[message.method];
  if (handler === undefined) send({ id: message.id, error: { code: -32601, message: 'no such method' } });
  else send({ id: message.id, result: await handler(message.params) });
}

function ask(method, params) {
  const id = `toy-${nextId++}`;
  send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

function notify(method, params) {
  send({ method, params });
}

function send(message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  process.stdout.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
}

let buffer = Buffer.alloc(0);
process.stdin.on('end', () => process.exit(0));
process.stdin.on('data', (chunk) => {
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const end = buffer.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(buffer.toString('ascii', 0, end))[1]);
    if (buffer.length < end + 4 + length) return;
    const message = JSON.parse(buffer.toString('utf8', end + 4, end + 4 + length));
    buffer = buffer.subarray(end + 4 + length);
    void receive(message);
  }
});
