import { chown, lstat, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ToolError } from '../../base/errors.ts';
import { ProjectStore } from './projectStore.ts';
import { TrustStore } from './trust.ts';

let base: string;
let store: ProjectStore;
let trust: TrustStore;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'sightline-projects-')));
  for (const [folder, marker] of [
    ['web', 'package.json'],
    ['web/packages/ui', 'package.json'],
    ['api', 'go.mod'],
    ['home', 'package.json'],
  ] as const) {
    await mkdir(join(base, folder, 'src'), { recursive: true });
    await writeFile(join(base, folder, marker), '');
  }
  await mkdir(join(base, 'bare/deep'), { recursive: true });
  await mkdir(join(base, 'home/docs'), { recursive: true });
  trust = await TrustStore.load(join(base, 'state'));
  store = new ProjectStore({ stateDir: join(base, 'state'), trust, home: join(base, 'home') });
});

afterEach(async () => {
  store.dispose();
  await rm(base, { recursive: true, force: true });
});

test('the nearest root is opened, under its canonical path, once', async () => {
  await symlink(join(base, 'web'), join(base, 'alias'));
  const project = await store.open(join(base, 'alias/src'), { env: { PATH: '/bin', NODE_OPTIONS: '-r evil' } });
  expect(project).toMatchObject({ root: join(base, 'web'), name: 'web', trusted: false, env: { PATH: '/bin' } });
  expect(project.env['NODE_OPTIONS']).toBeUndefined();
  expect(await store.open(join(base, 'web'), { env: { PATH: '/other' } })).toBe(project);
  expect(store.list()).toEqual([project]);
  expect(project.stateDir.startsWith(join(base, 'state'))).toBe(true);
});

test('a folder without a marker is opened by a start in it, not by a call that names it', async () => {
  const project = await store.open(join(base, 'bare/deep'), { env: {} });
  expect(project.root).toBe(join(base, 'bare/deep'));
  await expect(store.resolve(join(base, 'bare'))).rejects.toMatchObject({ code: 'project_not_found' });
  await expect(store.resolve(join(base, 'home/docs'))).rejects.toMatchObject({ code: 'project_not_found' });
});

test('a mark that somebody else has put above a folder does not widen the project', async () => {
  await mkdir(join(base, 'shared/mine/src'), { recursive: true });
  await mkdir(join(base, 'shared/.git'));
  await writeFile(join(base, 'shared/mine/package.json'), '');
  await chown(join(base, 'shared/.git'), 12345, 12345).catch(() => undefined);
  await chown(join(base, 'shared'), 12345, 12345).catch(() => undefined);
  const isOthers = (await lstat(join(base, 'shared/.git'))).uid === 12345;
  await mkdir(join(base, 'shared/loose'));
  const opened = await store.open(join(base, 'shared/loose'), { env: {} });
  // Only the system's administrator can give files away; for everybody else there is nothing to see here.
  expect(opened.root).toBe(join(base, isOthers ? 'shared/loose' : 'shared'));
  expect((await store.open(join(base, 'shared/mine/src'), { env: {} })).root).toBe(join(base, 'shared/mine'));
});

test('folders of tools are no projects; hidden ones are opened by a person only', async () => {
  for (const folder of ['web/.git/hooks', 'web/.vscode', '.config/fish', '.hidden/one']) {
    await mkdir(join(base, folder), { recursive: true });
    await writeFile(join(base, folder, 'package.json'), '');
  }
  expect((await store.open(join(base, 'web/.git/hooks'), { env: {} })).root).toBe(join(base, 'web'));
  expect((await store.resolve(join(base, 'web/.vscode'))).root).toBe(join(base, 'web'));
  await expect(store.open(join(base, '.config/fish'), { env: {} })).rejects.toMatchObject({
    code: 'project_not_found',
  });
  const hidden = join(base, '.hidden/one');
  await expect(store.resolve(hidden)).rejects.toMatchObject({ message: expect.stringContaining('hidden folder') });
  expect((await store.open(hidden, { env: {} })).root).toBe(hidden);
  expect((await store.resolve(hidden)).root).toBe(hidden);
});

test('without a path: none, one, several', async () => {
  await expect(store.resolve(undefined)).rejects.toMatchObject({ code: 'project_not_found' });
  const web = await store.open(join(base, 'web'), { env: {} });
  expect(await store.resolve(undefined)).toBe(web);
  const api = await store.open(join(base, 'api'), { env: {} });
  const several = await store.resolve(undefined).catch((error: unknown) => error);
  expect(several).toBeInstanceOf(ToolError);
  expect(several).toMatchObject({
    code: 'multiple_projects_open',
    data: {
      open_projects: [
        { name: 'web', path: web.root },
        { name: 'api', path: api.root },
      ],
    },
  });
  expect(await store.resolve(undefined, { ownProjects: [api] })).toBe(api);
  store.close(api);
  expect(await store.resolve(undefined, { ownProjects: [api] })).toBe(web);
});

test('a path names an open project, opens a new one, or is answered with what is open', async () => {
  const web = await store.open(join(base, 'web'), { env: {} });
  expect(await store.resolve(join(base, 'web/src'))).toBe(web);
  expect(await store.resolve('web')).toBe(web);
  const ui = await store.resolve(join(base, 'web/packages/ui'), { env: { PATH: '/x' } });
  expect(ui).toMatchObject({ name: 'ui', env: { PATH: '/x' } });
  expect(store.containing(join(base, 'web/packages/ui/src/a.ts'))).toBe(ui);
  await expect(store.resolve(join(base, 'nowhere'))).rejects.toMatchObject({
    code: 'project_not_found',
    data: { open_projects: [{ name: 'web' }, { name: 'ui' }] },
  });
  await expect(store.resolve('relative/path')).rejects.toMatchObject({ code: 'project_not_found' });
  await expect(store.resolve('/a\0b')).rejects.toMatchObject({ code: 'invalid_arguments' });
});

test('policy decides what calls may open', async () => {
  const strict = new ProjectStore({ stateDir: join(base, 'state'), trust, mayOpen: () => false });
  await expect(strict.resolve(join(base, 'api'))).rejects.toMatchObject({ code: 'policy_denied' });
});

test('trust is given by a person, covers folders below, survives a restart and can be taken back', async () => {
  const ui = await store.open(join(base, 'web/packages/ui'), { env: {} });
  expect(ui.trusted).toBe(false);
  await trust.trust(join(base, 'web'), 'command-line');
  expect(ui.trusted).toBe(true);
  const reloaded = await TrustStore.load(join(base, 'state'));
  expect(reloaded.isTrusted(join(base, 'web/packages/ui'))).toBe(true);
  expect(reloaded.isTrusted(join(base, 'webber'))).toBe(false);
  await trust.revoke(join(base, 'web'));
  expect(ui.trusted).toBe(false);
  const started = await store.open(join(base, 'api'), { env: {}, trustedByStart: true });
  expect(started.trusted).toBe(true);
});

test('a damaged trust file is set aside and nothing is trusted', async () => {
  await writeFile(join(base, 'state/trust.json'), '{"version":1,"con').catch(async () => {
    await mkdir(join(base, 'state'), { recursive: true });
    await writeFile(join(base, 'state/trust.json'), '{"version":1,"con');
  });
  const problems: string[] = [];
  const loaded = await TrustStore.load(join(base, 'state'), (problem) => problems.push(problem.setAsideAs));
  expect(loaded.list()).toEqual([]);
  expect(problems).toHaveLength(1);
});
