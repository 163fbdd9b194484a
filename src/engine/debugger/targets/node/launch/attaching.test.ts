import { expect, test, vi } from 'vitest';
import { wakeInspector } from './attaching.ts';

test.each([-1, 0, -2, Number.NaN, 1.5, process.pid])('pid %s is refused and nobody is signalled', async (pid) => {
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => true);
  try {
    await expect(wakeInspector(pid)).rejects.toMatchObject({ code: 'attach_failed' });
    expect(kill).not.toHaveBeenCalled();
  } finally {
    kill.mockRestore();
  }
});
