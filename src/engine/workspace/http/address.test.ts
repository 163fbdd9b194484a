import { expect, test } from 'vitest';
import { pinnedAddresses } from './address.ts';

async function verdict(host: string, hosts: readonly string[]): Promise<string> {
  try {
    await pinnedAddresses(host, hosts);
    return 'reached';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test.each([
  ['127.0.0.1', []],
  ['[::1]', []],
  ['203.0.114.7', ['203.0.114.7']],
  ['203.0.114.7', ['*']],
  ['10.0.0.1', ['10.0.0.1']],
  ['[2a00::7]', ['*']],
])('%s is reached with %j', async (host, hosts) => {
  expect(await verdict(host, hosts)).toBe('reached');
});

test.each([
  ['203.0.114.7', []],
  ['10.0.0.1', []],
  ['10.0.0.1', ['*']],
  ['[2a00::7]', []],
])('%s is refused with %j, and a person can allow it', async (host, hosts) => {
  expect(await verdict(host, hosts)).toContain('is not this machine, and no setting allows it');
});

test.each([
  '169.254.169.254',
  '100.100.100.200',
  '0.0.0.0',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::7f00:1]',
])('%s is never reached, whatever is allowed', async (host) => {
  expect(await verdict(host, ['*', host, host.replaceAll(/[[\]]/g, '')])).toContain('is never reached');
});
