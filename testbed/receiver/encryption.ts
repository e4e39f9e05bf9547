import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import type { Identity } from '../tls/certificate.ts';
import { createAuthority, type TlsFault, tlsOptionsOf } from '../tls/tls-fault.ts';

/** How a receiver speaks TLS; the authority's certificate is what a sender has to trust. */
export interface Encryption {
  readonly ca: string;
  /**
   * The connection to speak HTTP on; undefined when the fault has dealt with it. `tell` is called with the reason when
   * no request comes of it.
   */
  readonly wrap: (raw: Socket, tell: (reason: string) => void) => Socket | undefined;
  /** Another fault, below the same authority. */
  readonly with: (fault: TlsFault, now: number) => Encryption;
}

/** An encryption with certificates that are made now; the authority too, unless there is one. */
export function createEncryption(fault: TlsFault, now: number, authority: Identity = createAuthority(now)): Encryption {
  const common = {
    ca: authority.certificate,
    with: (other: TlsFault, at: number) => createEncryption(other, at, authority),
  };
  if (fault === 'no-tls') return { ...common, wrap: (raw) => raw };
  if (fault === 'handshake-stall' || fault === 'handshake-reset') {
    return { ...common, wrap: (raw, tell) => refuse(fault, raw, tell) };
  }
  const options = tlsOptionsOf(fault, authority, now);
  return { ...common, wrap: (raw, tell) => encrypted(raw, options, tell) };
}

function refuse(fault: 'handshake-stall' | 'handshake-reset', raw: Socket, tell: (reason: string) => void): undefined {
  const isStalled = fault === 'handshake-stall';
  raw.once('data', () => {
    tell(isStalled ? 'its TLS handshake gets no answer' : 'its TLS handshake was reset');
    if (!isStalled) raw.resetAndDestroy();
  });
  raw.once('end', () => raw.destroy());
}

function encrypted(raw: Socket, options: TlsOptions, tell: (reason: string) => void): Socket {
  const secureContext = createSecureContext(options);
  const { ALPNProtocols } = options;
  const socket = new TLSSocket(raw, {
    isServer: true,
    secureContext,
    ...(ALPNProtocols === undefined ? {} : { ALPNProtocols }),
  });
  // Whoever refuses the certificate ends the handshake: that is what is simulated.
  let wrong = 'it hung up in the TLS handshake, as who does not trust the certificate does';
  socket.on('error', (error: NodeJS.ErrnoException) => {
    wrong = `its TLS handshake failed: ${reasonOf(error)}`;
    raw.destroy();
  });
  raw.once('close', () => {
    if (socket.bytesRead === 0) tell(wrong);
  });
  // A TLS connection has no reset of its own; the connection below it has.
  return Object.assign(socket, { resetAndDestroy: () => raw.resetAndDestroy() && socket });
}

/** The words of OpenSSL without its numbers: `tlsv1 alert unknown ca`. */
function reasonOf({ message, code }: NodeJS.ErrnoException): string {
  const [, words] = /:SSL routines:[^:]*:([^:]+)/.exec(message) ?? [];
  return words ?? code ?? message;
}
