import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

/** What listens on every address of this machine, for both families, or for the older one alone. */
const ALL: Readonly<Record<string, readonly string[]>> = { '0.0.0.0': ['IPv4'], '::': ['IPv4', 'IPv6'] };

type Addresses = Readonly<
  Record<string, readonly Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[] | undefined>
>;

/**
 * The addresses by which other machines and containers reach what listens at `url` on this host; undefined where the URL says it
 * all, as it listens on one address.
 */
export function elsewhere(
  host: string,
  url: string,
  interfaces: Addresses = networkInterfaces(),
): readonly string[] | undefined {
  const families = ALL[host];
  if (families === undefined) return undefined;
  const { protocol, port } = new URL(url);
  return Object.values(interfaces)
    .flatMap((each = []) => each)
    .filter(({ address, family, internal }) => !internal && families.includes(family) && !address.startsWith('fe80:'))
    .map(({ address, family }) => `${protocol}//${family === 'IPv6' ? `[${address}]` : address}:${port}`);
}
