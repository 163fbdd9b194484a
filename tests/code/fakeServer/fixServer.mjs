// A language server that finds every `bad` in its files wrong and offers one fix in each of the ways servers have of doing that.
// As with ty, opening a document ends what it is computing; and it cannot analyse a file with `unspeakable` in it.
const documents = new Map();
let nextId = 1;
const waiting = new Map();

const requests = {
  initialize: () => ({
    capabilities: {
      textDocumentSync: 1,
      diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false },
      codeActionProvider: { resolveProvider: true },
      executeCommandProvider: { commands: ['fix.now', 'fix.outside'] },
    },
    serverInfo: { name: 'fixer', version: '1.0' },
  }),
  shutdown: () => null,
  'textDocument/diagnostic': async ({ textDocument: { uri } }) => {
    const opened = documents.size;
    await new Promise((resolve) => setTimeout(resolve, 30));
    if (documents.size !== opened) throw Object.assign(new Error('server cancelled the request'), { code: -32802 });
    const text = documents.get(uri) ?? '';
    if (text.includes('unspeakable')) throw new Error('no words for this');
    return {
      kind: 'full',
      items: text.split('\n').flatMap((line, index) =>
        [...line.matchAll(/bad/g)].map((match) => ({
          range: rangeOf(index, match.index),
          severity: 1,
          code: 'bad',
          message: 'this is bad',
        })),
      ),
    };
  },
  'textDocument/codeAction': ({ textDocument: { uri }, context }) => {
    const [{ range }] = context.diagnostics;
    const changes = (newText) => ({ changes: { [uri]: [{ range, newText }] } });
    return [
      { title: 'by edit', kind: 'quickfix', edit: changes('good') },
      { title: 'by resolving', kind: 'quickfix', data: changes('resolved') },
      {
        title: 'by command',
        kind: 'quickfix',
        command: { title: '', command: 'fix.now', arguments: [changes('done')] },
      },
      { title: 'by bare command', command: 'fix.now', arguments: [changes('bare')] },
      {
        title: 'by snippet',
        kind: 'quickfix',
        edit: {
          documentChanges: [
            {
              textDocument: { uri, version: null },
              edits: [{ range, snippet: { kind: 'snippet', value: 'f(${1:a}, ${2|b,c|})$0' } }],
            },
          ],
        },
      },
      {
        title: 'by new file',
        kind: 'quickfix',
        edit: {
          documentChanges: [
            { kind: 'create', uri: uri.replace(/[^/]*$/, 'made.fix') },
            {
              textDocument: { uri: uri.replace(/[^/]*$/, 'made.fix'), version: null },
              edits: [{ range: rangeOf(0, 0, 0), newText: 'made\n' }],
            },
            { textDocument: { uri, version: null }, edits: [{ range, newText: 'moved' }] },
          ],
        },
      },
      { title: 'outside', kind: 'quickfix', edit: { changes: { 'file:///etc/hosts': [{ range, newText: 'x' }] } } },
      { title: 'not now', kind: 'quickfix', disabled: { reason: 'there is a reason' } },
    ];
  },
  'codeAction/resolve': (action) => ({ ...action, edit: action.data }),
  'workspace/executeCommand': async ({ arguments: [edit] }) => {
    const { applied } = await ask('workspace/applyEdit', { edit });
    if (!applied) throw new Error('the client did not apply the edit');
    return null;
  },
};
const notifications = {
  'textDocument/didOpen': ({ textDocument }) => documents.set(textDocument.uri, textDocument.text),
  'textDocument/didChange': ({ textDocument, contentChanges }) =>
    documents.set(textDocument.uri, contentChanges.at(-1).text),
  exit: () => process.exit(0),
};

function rangeOf(line, character, length = 3) {
  return { start: { line, character }, end: { line, character: character + length } };
}

function send(message) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function ask(method, params) {
  const id = nextId++;
  send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

async function receive(message) {
  if (message.method === undefined) waiting.get(message.id)?.(message.result);
  else if (message.id === undefined) notifications[message.method]?.(message.params);
  else {
    try {
      send({ id: message.id, result: (await requests[message.method]?.(message.params)) ?? null });
    } catch (error) {
      send({ id: message.id, error: { code: error.code ?? -32603, message: error.message } });
    }
  }
}

let buffer = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const end = buffer.indexOf('\r\n\r\n');
    const length = Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, Math.max(end, 0)).toString())?.[1]);
    if (end === -1 || buffer.length < end + 4 + length) return;
    const body = buffer.subarray(end + 4, end + 4 + length).toString();
    buffer = buffer.subarray(end + 4 + length);
    void receive(JSON.parse(body));
  }
});
process.stdin.on('end', () => process.exit(0));
