import { createReceiver } from '../../testbed/index.ts';
import type { Identity } from '../../testbed/tls/certificate.ts';
import { startTlsReceiver } from '../../testbed/tls/tls-receiver.ts';
import { startBlackHole } from './black-hole.ts';
import { startRaw } from './raw-faults.ts';
import type { HostileRow, Timing } from './rows.ts';

export interface Started extends AsyncDisposable {
  readonly url: string;
  /** Requests that were read, where the receiver counts them. */
  readonly requests?: () => number;
}

/** Names that the resolver of the battery knows; neither leads anywhere. */
const UNKNOWN_HOST = 'unknown.example.com';
export const SILENT_HOST = 'silent.example.com';

/** Starts the receiver of a row. */
export async function startHostile({ hostile }: HostileRow, timing: Timing, authority: Identity): Promise<Started> {
  if ('raw' in hostile) return startRaw(hostile.raw);
  if ('tls' in hostile) return startTlsReceiver(hostile.tls, authority, Date.now());
  if ('script' in hostile) {
    const script = typeof hostile.script === 'string' ? hostile.script : hostile.script(timing);
    const receiver = await createReceiver({ script });
    return Object.assign(
      nowhere(`${receiver.url}/hook`, () => receiver.close()),
      {
        requests: () => receiver.received.length,
      },
    );
  }
  switch (hostile.nobody) {
    case 'black hole':
      return startBlackHole();
    case 'refuses':
      return nowhere(await freeAddress());
    case 'unknown name':
      return nowhere(`http://${UNKNOWN_HOST}/hook`);
    case 'silent name server':
      return nowhere(`http://${SILENT_HOST}/hook`);
  }
}

function nowhere(url: string, close: () => Promise<void> = () => Promise.resolve()): Started {
  return { url, [Symbol.asyncDispose]: close };
}

/** Where somebody listened a moment ago. */
async function freeAddress(): Promise<string> {
  await using server = await startRaw('status-600');
  return server.url;
}
