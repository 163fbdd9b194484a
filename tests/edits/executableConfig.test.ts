import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agreedToEverything, type FileOperation } from '../../src/engine/workspace/edits/operations.ts';
import { PlanStore } from '../../src/engine/workspace/edits/planStore.ts';
import { isExecutableConfig } from '../../src/engine/workspace/executableConfig.ts';
import { undoChanges } from '../../src/engine/workspace/localHistory/undo.ts';
import type { ApprovalTicket } from '../../src/server/approvals.ts';
import { testBench, type TestBench } from '../support/sightline.ts';
import { workbench, type Workbench } from './workbench.ts';

describe('what is executed later', () => {
  it.each(
    `.git/config .git/hooks/pre-commit .GIT/config .Git/Hooks/x sub/.git/info/attributes git~1/config .git./config .g\u200cit/config
    .gitmodules .gitattributes .gitconfig bare.git/hooks/post-receive .husky/pre-commit .githooks/x lefthook.yml .lefthook/x
    .pre-commit-config.yaml .lintstagedrc .vscode/tasks.json .VSCode/Tasks.JSON .vscode/x.json .idea/workspace.xml .zed/tasks.json
    .fleet/run.json my.code-workspace x.sublime-project .nvim.lua .exrc .vimrc .dir-locals.el .emacs .devcontainer/devcontainer.json
    devcontainer.json .devcontainer.json .gitpod.yml .replit .idx/dev.nix .mcp.json mcp.json cline_mcp_settings.json
    .cursor/mcp.json .claude/settings.json .codex/config.toml .roo/mcp.json .kiro/hooks/x opencode.json opencode.jsonc .aider.conf.yml
    .clinerules .cursorrules .some-new-agent/config.json .github/workflows/ci.yml .github/actions/x/action.yml .github/dependabot.yml
    .github/copilot-instructions.md .gitlab-ci.yml .circleci/config.yml .travis.yml .drone.yml .buildkite/pipeline.yml Jenkinsfile
    jenkinsfile.groovy azure-pipelines.yml bitbucket-pipelines.yml appveyor.yml cloudbuild.yaml .npmrc .yarnrc .yarnrc.yml
    .yarn/releases/yarn.cjs .pnpmfile.cjs .pnp.cjs bunfig.toml pip.conf .pypirc .condarc NuGet.Config .cargo/config.toml .cargo/config
    .mvn/extensions.xml .mvn/jvm.config mvnw gradlew gradle/wrapper/gradle-wrapper.properties .gradle/init.gradle init.gradle
    .bazelrc .sbtopts .bundle/config .mise.toml mise.toml mise.local.toml .tool-versions .python-version .nvmrc .ruby-version
    rust-toolchain.toml rust-toolchain .envrc .direnv/x .gdbinit .lldbinit .pdbrc .pryrc .irbrc .Rprofile .ghci .bashrc
    .bash_profile .profile .zshrc .zshenv .config/fish/config.fish .ssh/config .ssh/authorized_keys authorized_keys .gnupg/gpg.conf
    .config/git/config .inputrc .tmux.conf .curlrc .psqlrc .xprofile .config/autostart/x.desktop .local/bin/tool
    Library/LaunchAgents/x.plist sitecustomize.py lib/evil.pth .venv/bin/python .eslintrc.js .eslintrc.json .eslintrc .prettierrc
    sub/HEAD bare/head venv/bin/python env/bin/activate sub/venv/Scripts/python.exe azure-pipelines-pr.yml azure-pipelines/build.yml
    Jenkinsfile-release Jenkinsfile_nightly buildspec-prod.yml codefresh.yml netlify.toml vercel.json lint-staged.config.mjs
    commitlint.config.js simple-git-hooks.json captainhook.json app.ipr app.iws _exrc jupyter_notebook_config.py ipython_config.py
    gemini-extension.json conductor.json mise/config.toml mise/conf.d/x.toml
    .prettierrc.js .babelrc .mocharc.json .stylelintrc .pylintrc .flake8 .sightline.json .sightline/x .storybookx/main.js`.split(
      /\s+/,
    ),
  )('%s', (path) => expect(isExecutableConfig(`/home/me/project/${path}`, '/home/me/project')).toBe(true));

  it.each(
    `src/app.ts package.json tsconfig.json Makefile CMakeLists.txt Cargo.toml pyproject.toml build.gradle vite.config.ts
    eslint.config.js conftest.py Dockerfile compose.yaml README.md AGENTS.md .gitignore .dockerignore sub/.npmignore .eslintignore
    .prettierignore .gitkeep .keep .editorconfig .env .env.example .env.local .mailmap .nojekyll .clang-format .browserslistrc
    .changeset/brave-cats-run.md .well-known/security.txt .storybook/main.ts .vitepress/config.ts .github/ISSUE_TEMPLATE/bug.md
    .github/CODEOWNERS .github/pull_request_template.md src/git/hooks.ts src/mcp/server.json mcp.ts src/mcpjson.ts git/config
    venv.md src/env/bin.ts env/settings.py src/header.ts head.html src/head.ts docs/azure-pipelines.md jupyter_config.md
    vscode/tasks.json hooks/useThing.ts docs/jenkinsfile.md src/jenkins.ts gradle/libs.versions.toml profile bashrc.md tests/.gitkeep
    .claude/worktrees/x/src/a.ts src/a.pth.ts ..data/x.txt...`
      .split(/\s+/)
      .filter((path) => !path.startsWith('..')),
  )('not: %s', (path) => expect(isExecutableConfig(`/home/me/project/${path}`, '/home/me/project')).toBe(false));

  it.each([
    ['/p/.git/hooks/pre-commit', '/p/.git/hooks'],
    ['/p/.git/worktrees/x/config.worktree', '/p/.git/worktrees/x'],
    ['/home/me/.ssh/config', '/home/me/.ssh'],
    ['/home/me/.bashrc', '/home/me'],
    ['/home/me/.config/fish/conf.d/x.fish', '/home/me/.config/fish'],
    ['/p/.claude/worktrees/x/.husky/pre-commit', '/p'],
    ['/p/.claude/worktrees', '/p'],
    ['/home/me/.claude/worktrees/x/.mcp.json', '/home/me/.claude/worktrees/x'],
  ])('%s, with the root %s', (path, root) => expect(isExecutableConfig(path, root)).toBe(true));

  it.each([
    ['/home/me/.projects/one/src/a.ts', '/home/me/.projects/one'],
    ['/home/me/.cursor/worktrees/repo/src/a.ts', '/home/me/.cursor/worktrees/repo'],
    ['/home/me/.claude/worktrees/x/src/a.ts', '/home/me/.claude/worktrees/x'],
  ])('not %s, with the root %s', (path, root) => expect(isExecutableConfig(path, root)).toBe(false));
});

describe('the applier', () => {
  let bench: Workbench;
  beforeEach(async () => {
    bench = workbench();
    await bench.write({ 'evil.sh': 'evil\n', 'sub/.mcp.json': '{}\n', '.husky/pre-commit': 'old\n', 'a.txt': 'a\n' });
  });
  afterEach(() => bench.dispose());

  it.each<[string, FileOperation]>([
    ['written', { kind: 'write', path: '.vscode/tasks.json', content: '{}' }],
    ['edited', { kind: 'edit', path: '.husky/pre-commit', edits: [] }],
    ['created', { kind: 'create', path: '.git/hooks/pre-push', content: 'evil' }],
    ['moved there', { kind: 'rename', from: 'evil.sh', to: '.git/hooks/pre-commit' }],
    ['moved in a folder', { kind: 'rename', from: 'sub', to: 'other' }],
    ['deleted', { kind: 'delete', path: '.husky/pre-commit' }],
  ])('lets nothing of it be %s or taken back without a person, whoever asks', async (_how, given) => {
    const operation: FileOperation =
      given.kind === 'edit'
        ? {
            ...given,
            edits: [{ range: { start: { line: 1, column: 1 }, end: { line: 1, column: 4 } }, newText: 'new' }],
          }
        : given;
    const before = await bench.tree();
    const operations: FileOperation[] = [{ kind: 'write', path: 'a.txt', content: 'b\n' }, operation];
    const refusal = { code: 'permission_denied', message: expect.stringContaining('a person must agree') };
    await expect(bench.applier.apply(bench.project, operations, { tool: 'x' })).rejects.toMatchObject(refusal);
    const plans = new PlanStore(bench.applier);
    const plan = plans.add(bench.project, await bench.applier.plan(bench.project, operations), 'x', 'a change');
    await expect(plans.apply(plan, { tool: 'apply_plan' })).rejects.toMatchObject(refusal);
    expect(await bench.tree()).toEqual(before);
    const agreed = { tool: 'x', agreedTo: agreedToEverything };
    const { historyId } = await bench.applier.apply(bench.project, operations, agreed);
    const after = await bench.tree();
    const undo = (agreedTo?: string) =>
      undoChanges(bench.applier, bench.history, bench.project, { historyId }, { tool: 'undo', agreedTo });
    const refused = await undo().catch((error: unknown) => error);
    expect(refused).toMatchObject(refusal);
    expect(await bench.tree()).toEqual(after);
    await undo((refused as { fingerprint: string }).fingerprint);
    expect(await bench.tree()).toEqual(before);
  });
});

describe('a person', () => {
  let bench: TestBench;
  const tickets: ApprovalTicket[] = [];
  let answer: (ticket: ApprovalTicket) => boolean = () => true;
  const hook = () => join(bench.root, '.husky/pre-commit');

  beforeAll(async () => {
    bench = await testBench({
      files: {
        'package.json': '{}',
        'good.sh': 'good\n',
        'sub/.vscode/package.json': '{}',
        'sub/.tool/package.json': '{}',
        'src/a.ts': 'export const wrong = 1;\n',
        '.eslintrc.js': "const { wrong } = require('./src/a.ts');\n",
      },
    });
    bench.sightline.backend.approvals.changed.on((ticket) => {
      if (ticket.state !== 'pending') return;
      tickets.push(ticket);
      const decision = answer(ticket);
      setImmediate(() => bench.sightline.backend.approvals.decide(ticket.id, decision, 'person'));
    });
  });
  beforeEach(() => {
    tickets.length = 0;
    answer = () => true;
  });
  afterAll(() => bench.dispose());

  it('is shown what would be written, however the call says it, and asked again for the way back', async () => {
    await bench.data('ide_refactor_move', { file: 'good.sh', target_file: '.husky/pre-commit' });
    expect(tickets.map(({ subject }) => [subject.effect, subject.shown])).toEqual([
      ['destructive', expect.stringContaining('+good')],
    ]);
    await bench.data('write_file', { file_path: '.husky/pre-commit', content: 'better\n' });
    expect(tickets[1]?.subject.shown).toContain('-good\n+better');
    await bench.data('undo', {});
    expect(tickets[2]?.subject.shown).toContain('-better\n+good');
    expect(readFileSync(hook(), 'utf8')).toBe('good\n');
    answer = () => false;
    expect((await bench.call('undo', {})).error?.code).toBe('approval_denied');
    expect(
      (await bench.call('edit_file', { file_path: '.husky/pre-commit', old_text: 'good', new_text: 'bad' })).error,
    ).toMatchObject({ code: 'approval_denied' });
    expect(readFileSync(hook(), 'utf8')).toBe('good\n');
  });

  it('agrees to what they saw, not to what it has become', async () => {
    bench.write('payload.sh', 'harmless\n');
    answer = () => {
      if (tickets.length > 1) return false;
      writeFileSync(join(bench.root, 'payload.sh'), 'evil\n');
      return true;
    };
    const target = '.githooks/post-merge';
    const moved = await bench.call('ide_refactor_move', { file: 'payload.sh', target_file: target });
    expect(moved.error?.code).toBe('permission_denied');
    expect(existsSync(join(bench.root, target))).toBe(false);
  });

  it('is asked when a refactoring or a plan reaches such a file', async () => {
    answer = () => false;
    const preview = await bench.data('ide_refactor_move', {
      file: 'src/a.ts',
      target_file: '.kiro/a.ts',
      preview: true,
    });
    expect(tickets).toEqual([]);
    const planned = await bench.call('apply_plan', { plan_id: preview['planId'] });
    expect(planned.error?.code).toBe('approval_denied');
    expect(tickets[0]?.subject.shown).toContain('.kiro/a.ts');
    expect(existsSync(join(bench.root, '.kiro'))).toBe(false);
  });

  it('alone opens a project in the folder of a tool, whoever has put a marker there', async () => {
    mkdirSync(join(bench.root, '.git/hooks'), { recursive: true });
    symlinkSync(join(bench.root, '.git/hooks'), join(bench.root, 'hooks'));
    chmodSync(join(bench.root, '.git/hooks'), 0o755);
    answer = () => false;
    for (const folder of ['.git/hooks', 'hooks', 'sub/.vscode', 'sub/.tool', '.husky']) {
      const args = { file_path: 'pre-commit', content: 'evil\n', project_path: join(bench.root, folder) };
      // The project around it is meant, or none.
      await bench.call('write_file', args);
      expect(bench.sightline.projects.list().map(({ root }) => root)).toEqual([bench.root]);
    }
    for (const folder of ['.git/hooks', 'sub/.vscode', 'sub/.tool'])
      expect(existsSync(join(bench.root, folder, 'pre-commit'))).toBe(false);
    expect(readFileSync(hook(), 'utf8')).toBe('good\n');
  });
});

it('is written without a question where the policy says so', async () => {
  const bench = await testBench({ files: { 'package.json': '{}' }, env: { SIGHTLINE_POLICY_DESTRUCTIVE: 'allow' } });
  try {
    await bench.data('write_file', { file_path: 'hook.txt', content: 'x\n' });
    await bench.data('ide_refactor_move', { file: 'hook.txt', target_file: '.husky/pre-commit' });
    await bench.data('undo', {});
    expect(existsSync(join(bench.root, 'hook.txt'))).toBe(true);
  } finally {
    await bench.dispose();
  }
});
