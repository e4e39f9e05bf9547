import { createAddressGuard } from '../../server/delivery/address-guard.ts';
import { createUndiciTransport } from '../../server/delivery/undici-transport.ts';
import type { Resolver } from '../../server/ports/resolver.ts';
import type { PostResult, Transport } from '../../server/ports/transport.ts';
import { exampleOf, webhookRequest } from '../../testbed/index.ts';
import { SILENT_HOST } from './start.ts';

/** What an event weighs. */
const BODY_BYTES = 1024;

export type Sender = Transport & AsyncDisposable;

/** The transport of production, but for DNS: one name is never answered, localhost is, and no other is known. */
export function createSender(deadlineMs: number): Sender {
  const transport = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), deadlineMs, { resolver });
  return { ...transport, [Symbol.asyncDispose]: () => transport.close() };
}

const resolver: Resolver = (hostname) => {
  if (hostname === SILENT_HOST) return Promise.withResolvers<never>().promise;
  if (hostname === 'localhost') return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  return Promise.reject(Object.assign(new Error(`${hostname} is unknown`), { code: 'ENOTFOUND' }));
};

/** A body of some size, filled up with spaces; a round sends the same bytes to each of its webhooks. */
export function bodyOf(bytes = BODY_BYTES): Uint8Array {
  const example = webhookRequest(exampleOf('track')).body;
  return Buffer.concat([example, Buffer.alloc(Math.max(0, bytes - example.length), ' ')]);
}

export function post(
  transport: Transport,
  url: string,
  deadlineMs: number,
  body: Uint8Array = bodyOf(),
): Promise<PostResult> {
  const headers = { 'User-Agent': 'Waybill/0.0.0', 'Content-Type': 'application/json' };
  return transport.post({ workspace: 'workspaces/main', url, headers, body, deadlineMs }, new AbortController().signal);
}
