import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Desk, scriptedAgent } from '../agents/desk.ts';
import { builtProgram } from '../support/program.ts';
import { openDashboard, startBrowser, type OpenedPage } from './browser.ts';

/** A person at the dashboard and an agent without a model. */
describe('the Agents view', () => {
  let desk: Desk;
  let browser: Browser;
  let opened: OpenedPage;

  beforeAll(async () => {
    // The page is part of what is built.
    await builtProgram();
    desk = await Desk.open({
      scripted: { title: 'Scripted', command: process.execPath, args: [scriptedAgent], env: { SCRIPTED_AGENT: '{}' } },
    });
    browser = await startBrowser();
    opened = await openDashboard(browser, desk.running, { path: 'agents' });
  });

  afterAll(async () => {
    await browser.close();
    await desk.dispose();
  });

  const price = () => readFileSync(join(desk.running.root, 'price.ts'), 'utf8');
  const shoot = async (name: string) => {
    const folder = process.env['SIGHTLINE_SHOTS'];
    if (folder !== undefined) await opened.page.screenshot({ path: join(folder, `agents-${name}.png`) });
  };

  test('an agent is started, asked, allowed, reverted and looked into', async () => {
    const { page } = opened;
    await page.locator('.startAgent select').first().selectOption({ label: 'Scripted' });
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('.thread .badge', { hasText: 'idle' }).waitFor();

    const say = async (words: string) => {
      await page.getByLabel('Prompt', { exact: true }).fill(words);
      await page.getByLabel('Prompt', { exact: true }).press('Enter');
    };
    await say('full');
    await page.locator('.message.agent', { hasText: 'Hello, world.' }).waitFor();
    await page.getByText('context: 1.2k of 200k').waitFor();
    await page.locator('.planEntries').waitFor();
    await page.getByRole('heading', { name: 'A good title' }).waitFor();
    await page.locator('.toolCard', { hasText: 'Editing' }).locator('.diffAdded', { hasText: '+b' }).waitFor();
    await page.getByLabel('Model').selectOption('large');
    await shoot('full');
    // The source follows the places that tool calls name.
    await page.getByRole('tab', { name: 'Source' }).click();
    await page.getByText(/price\.ts:2 · Reading price\.ts/).waitFor();
    await page.locator('.threadSource .currentLine').waitFor();
    await shoot('source');
    await page.getByRole('tab', { name: 'Conversation' }).click();

    const before = price();
    const needsYou = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Needs you' });
    await say('callbacks');
    await page.getByRole('navigation', { name: 'Threads' }).getByText('needs you').waitFor();
    await page.getByText('policy.edit: allow').waitFor();
    await expect.poll(() => page.title()).toBe('(1) Sightline');
    await needsYou.click();
    await page.getByRole('article', { name: 'Scripted wants permission to edit' }).waitFor();
    await page.goBack();
    await say('content');
    await page.getByLabel('Waiting prompts').getByText('content').waitFor();
    await shoot('question');
    await page.getByRole('button', { name: 'allow once' }).click();
    await page.locator('.message.agent', { hasText: 'o-allow_once' }).waitFor();
    await page.locator('.toolCard', { hasText: 'allowed by a person' }).waitFor();
    await page.locator('.thread > header .badge', { hasText: 'idle' }).waitFor();
    await expect.poll(price).toBe(`${before}// by the agent\n`);
    await expect.poll(() => page.title()).toBe('Sightline');
    // A form is filled in where it is shown; from Needs you a link leads there.
    await say('elicitations');
    await expect.poll(() => page.title()).toBe('(1) Sightline');
    await needsYou.click();
    await page.getByRole('article', { name: 'Scripted asks you' }).getByRole('link').click();
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.locator('.message.agent', { hasText: 'decline {}' }).waitFor();
    await expect.poll(() => page.title()).toBe('Sightline');

    await page.getByRole('tab', { name: 'Changes (1)' }).click();
    await shoot('changes');
    await page.getByRole('button', { name: 'Revert turn 2' }).click();
    await page.locator('.turnChanges .badge', { hasText: 'reverted' }).waitFor();
    await expect.poll(price).toBe(before);

    await page.getByRole('tab', { name: 'Protocol log' }).click();
    await page.locator('.protocolLog summary', { hasText: 'session/request_permission' }).waitFor();
    await shoot('log');

    await page.getByRole('tab', { name: 'Conversation' }).click();
    await say('exit');
    await page.locator('.thread > header .badge', { hasText: 'dead' }).waitFor();
    await page.getByRole('alert').getByText('out of memory').waitFor();
    await shoot('dead');
    await page.getByRole('button', { name: 'Restart' }).click();
    await page.locator('.thread > header .badge', { hasText: 'idle' }).waitFor();
    await page.getByText('This is a new session').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('No thread is chosen').waitFor();
    await page.getByText('Earlier (1)').waitFor();
    expect(opened.complaints).toEqual([]);
  });
});
