import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { createAuthority, type TlsFault, tlsOptionsOf } from '../tls/tls-fault.ts';

/** How a receiver speaks TLS; the authority's certificate is what a sender has to trust. */
export interface Encryption {
  readonly ca: string;
  /** The connection to speak HTTP on; undefined when the fault has dealt with it. */
  readonly wrap: (raw: Socket) => Socket | undefined;
}

/** An encryption with certificates that are made now, and known to nobody else. */
export function createEncryption(fault: TlsFault, now: number): Encryption {
  const authority = createAuthority(now);
  const ca = authority.certificate;
  if (fault === 'no-tls') return { ca, wrap: (raw) => raw };
  if (fault === 'handshake-stall') return { ca, wrap: (raw) => void raw.once('end', () => raw.destroy()).resume() };
  if (fault === 'handshake-reset') return { ca, wrap: (raw) => void raw.once('data', () => raw.resetAndDestroy()) };
  const options = tlsOptionsOf(fault, authority, now);
  return { ca, wrap: (raw) => encrypted(raw, options) };
}

function encrypted(raw: Socket, options: TlsOptions): Socket {
  const secureContext = createSecureContext(options);
  const { ALPNProtocols } = options;
  const socket = new TLSSocket(raw, {
    isServer: true,
    secureContext,
    ...(ALPNProtocols === undefined ? {} : { ALPNProtocols }),
  });
  // Whoever refuses the certificate ends the handshake: that is what is simulated.
  socket.on('error', () => raw.destroy());
  // A TLS connection has no reset of its own; the connection below it has.
  return Object.assign(socket, { resetAndDestroy: () => raw.resetAndDestroy() && socket });
}
