import type { Scope } from '../../../../src/dashboard/channel.ts';

/** A scope as it stands in the address: `all`, `change.<id>`, `client.<id>`, `since.<time>`, `commit.<hash>`. */
export function scopeOf(text: string): Scope {
  const dot = text.indexOf('.');
  const kind = dot < 0 ? text : text.slice(0, dot);
  const value = decodeURIComponent(text.slice(dot + 1));
  if (kind === 'change') return { historyId: value };
  if (kind === 'call') return { callId: value };
  if (kind === 'client') return { client: value };
  if (kind === 'since') return { since: value };
  if (kind === 'commit') return { commit: value };
  return {};
}

export function scopeText(kind: 'change' | 'call' | 'client' | 'since' | 'commit', value: string): string {
  return `${kind}.${encodeURIComponent(value)}`;
}
