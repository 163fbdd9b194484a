import { expect, test } from 'vitest';
import { download, withoutPassword } from './download.ts';

test('a password before the host goes into a header and into no message', async () => {
  expect(withoutPassword('https://me:s%40crt@index.test/simple')).toEqual({
    url: 'https://index.test/simple',
    authorization: { authorization: `Basic ${Buffer.from('me:s@crt').toString('base64')}` },
  });
  expect(withoutPassword('https://index.test/simple')).toEqual({ url: 'https://index.test/simple' });
  await expect(download('http://me:s%40crt@index.test/x')).rejects.toThrow(
    'http://index.test/x is not an https address',
  );
});
