import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { ToolError, errorMessage } from '../../../base/errors.ts';

export interface PinnedAddress {
  address: string;
  family: 4 | 6;
}

type AddressKind = 'loopback' | 'private' | 'public' | 'forbidden';

function list(...subnets: readonly string[]): BlockList {
  const blocks = new BlockList();
  for (const subnet of subnets) {
    const [net = '', prefix = ''] = subnet.split('/');
    blocks.addSubnet(net, Number(prefix), net.includes(':') ? 'ipv6' : 'ipv4');
  }
  return blocks;
}

const loopback = list('127.0.0.0/8', '::1/128');
/** Of a home or company: reached only when a person has named the host. */
const internal = list('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7');
/**
 * Never reached: what clouds give keys out at (link-local, and three that are not), this host by another name, multicast, and ranges that are
 * kept for other uses or carry another address inside.
 */
const forbidden = list(
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::/32',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.0/24',
  '0.0.0.0/8',
  '::/128',
  '224.0.0.0/4',
  '240.0.0.0/4',
  'ff00::/8',
  '2001::/32',
  '2002::/16',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
);

/** A version 4 address in the clothes of version 6. */
const disguised = list('::/96', '::ffff:0:0/96');

function kindOf({ address, family }: PinnedAddress): AddressKind {
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (forbidden.check(address, type)) return 'forbidden';
  if (loopback.check(address, type)) return 'loopback';
  // Asked about a plain version 4 address, a BlockList compares it in those very clothes.
  if (family === 6 && disguised.check(address, type)) return 'forbidden';
  return internal.check(address, type) ? 'private' : 'public';
}

/**
 * The addresses a host has, resolved once: the connection is made to these and to no other, whatever the name means a moment later. One
 * that may not be reached is a refusal, also beside others that may.
 */
export async function pinnedAddresses(hostname: string, hosts: readonly string[]): Promise<PinnedAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const addresses = await resolve(host, hosts);
  for (const each of addresses) {
    const kind = kindOf(each);
    if (kind === 'loopback' || isAllowed(host, kind, hosts)) continue;
    const shown = each.address === host ? host : `${host} (${each.address})`;
    if (kind === 'forbidden')
      throw new ToolError(
        'policy_denied',
        `${shown} is never reached: such addresses belong to the machine or its cloud.`,
        {
          ...(each.address === '0.0.0.0' ? { hint: 'Use 127.0.0.1 for a server on this machine.' } : {}),
        },
      );
    throw new ToolError('policy_denied', `${shown} is not this machine, and no setting allows it.`, {
      hint: `A person can allow it: "http.hosts": ["${host}"] in Sightline's config.json.`,
    });
  }
  return addresses;
}

async function resolve(host: string, hosts: readonly string[]): Promise<PinnedAddress[]> {
  const version = isIP(host);
  if (version === 4 || version === 6) return [{ address: host, family: version }];
  try {
    const found = await lookup(host, { all: true, verbatim: true });
    const addresses = found.map(({ address }) => ({ address, family: isIP(address) === 6 ? 6 : 4 }) as const);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    const hint = 'Only this machine is reached, as no setting allows other hosts.';
    throw new ToolError('command_failed', `${host} could not be resolved: ${errorMessage(error)}`, {
      ...(hosts.length === 0 ? { hint } : {}),
    });
  }
  throw new ToolError('command_failed', `${host} has no address.`);
}

/** A name or address allows that host; `*.example.com` those below it; `*` everything public. */
function isAllowed(host: string, kind: AddressKind, hosts: readonly string[]): boolean {
  if (kind === 'forbidden') return false;
  const name = host.toLowerCase().replace(/\.$/, '');
  return hosts.some((entry) => {
    const pattern = entry.toLowerCase();
    if (pattern === '*') return kind === 'public';
    return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern;
  });
}
