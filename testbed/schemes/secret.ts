import type { Scheme, SecretUse } from './scheme.ts';

/**
 * Throws a TypeError for what cannot be the secret of a scheme: with its kind and the way out, and never with its value.
 * `wayOut` is for where there may be none.
 */
export function checkSecret(
  what: string,
  secret: unknown,
  scheme: Pick<Scheme, 'title' | 'faultOfSecret'>,
  use: SecretUse,
  wayOut = `give its text, as ${scheme.title} shows it`,
): asserts secret is string {
  if (typeof secret !== 'string') throw new TypeError(`${what} is ${kindOf(secret)}; ${wayOut}`);
  if (secret === '') throw new TypeError(`${what} is empty; ${wayOut}`);
  const fault = scheme.faultOfSecret?.(secret, use);
  if (fault !== undefined) throw new TypeError(`${what} ${fault}`);
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  return value instanceof Uint8Array ? 'bytes' : 'an object';
}
