import type { RecorderOrders } from '../../../../ask/model.ts';
import { isNamed } from './wishes.ts';

const packages = /[\\/](node_modules|bower_components)[\\/]/;

/** Whether a file is in the focus; packages that lie below a folder are not in it. */
export function isInFocus({ focus }: RecorderOrders, file: string): boolean {
  return focus.files.some((each) =>
    each.endsWith('/') ? file.startsWith(each) && !packages.test(file.slice(each.length - 1)) : each === file,
  );
}

export function wantsFunction({ focus, probes }: RecorderOrders, name: string): boolean {
  const isProbed = probes.some((probe) => probe.function !== undefined && isNamed(name, probe.function));
  return focus.functions.length === 0 || isProbed || focus.functions.some((wanted) => isNamed(name, wanted));
}
