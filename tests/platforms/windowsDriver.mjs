// Runs on Windows: drives Sightline over pipes of that system, and writes each answer to a file, because Node for Windows
// cannot write to a pipe of the system that hosts it.
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';

const [program, stepsFile, answersFile] = process.argv.slice(2);
const { args, cwd, env, calls } = JSON.parse(readFileSync(stepsFile, 'utf8'));
const tell = (entry) => appendFileSync(answersFile, `${JSON.stringify(entry)}\n`);

const child = spawn(process.execPath, [program, ...args], { cwd, env: { ...process.env, ...env } });
const waiting = new Map();
let [text, stderr] = ['', ''];
child.stderr.on('data', (chunk) => (stderr += chunk));
child.stdout.on('data', (chunk) => {
  const lines = (text + chunk).split('\n');
  text = lines.pop();
  for (const line of lines) {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  }
});
const exited = new Promise((done) => child.once('exit', (code) => done(code)));

for (const [id, { method, params }] of calls.entries()) {
  const answer = new Promise((done) => waiting.set(id, done));
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  tell({ method, ...(await Promise.race([answer, exited.then((code) => ({ died: code, stderr }))])) });
}
const closedAt = Date.now();
child.stdin.end();
tell({ exit: await exited, tookMs: Date.now() - closedAt, stderr });
