import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { buildConnector } from 'undici';
import type { HandshakeTurns } from './handshake-turns.ts';

/**
 * So many bytes a handshake takes, of the 100 KB that OpenSSL takes. It verifies the signatures of a whole chain of
 * certificates before it asks whether it trusts one, and keys can be made so slow that a kilobyte costs 5 ms. Chains in use have
 * 2 to 8 KB.
 */
const HANDSHAKE_LIMIT = 16 * 1024;
/** So many bytes come for one request, whatever they are: a peer may send keys and tickets instead of an answer. */
const REQUEST_LIMIT = 320 * 1024;

/** The connections of a workspace, those with TLS each through a gate. */
export function gated(
  workspace: string,
  turns: HandshakeTurns,
  dial: buildConnector.connector,
): buildConnector.connector {
  return (target, callback) => {
    if (target.protocol !== 'https:') return dial(target, callback);
    const { servername: _ofTls, ...place } = target;
    return dial({ ...place, protocol: 'http:', port: target.port || '443' }, (...result) => {
      const [error, socket] = result;
      if (error !== null) return callback(...result);
      const gate = new TlsGate(socket, (part) => turns.pass({ workspace, host: target.hostname }, part));
      return dial(Object.assign({ ...target }, { httpSocket: gate }), (...secured) => {
        if (secured[1] !== null) {
          gate.open(secured[1]);
          turns.trust(target.hostname);
        }
        callback(...secured);
      });
    });
  };
}

/** Between a connection and its TLS. OpenSSL gets nothing of a handshake that is too long, and of others a part at a time. */
class TlsGate extends Duplex {
  readonly #socket: Socket;
  readonly #inTurn: (part: () => void) => void;
  /** Set once the handshake is done. */
  #secured: Socket | undefined;
  /** Bytes since the handshake began, or the last request. */
  #taken = 0;
  /** `bytesWritten` of what is secured: a change means another request. */
  #sent = 0;

  constructor(socket: Socket, inTurn: (part: () => void) => void) {
    super();
    [this.#socket, this.#inTurn] = [socket, inTurn];
    socket
      .on('data', (chunk: Buffer) => this.#receive(chunk))
      .on('end', () => this.push(null))
      .on('error', (error) => this.destroy(error))
      .on('close', () => this.destroy());
  }

  /** From now on as it comes. */
  open(secured: Socket): void {
    [this.#secured, this.#taken] = [secured, 0];
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #receive(chunk: Buffer): void {
    this.#count(chunk.length);
    if (this.destroyed) return;
    if (this.#secured !== undefined) return this.#pass(chunk);
    this.#socket.pause();
    this.#inTurn(() => {
      if (this.destroyed) return;
      this.#socket.resume();
      this.#pass(chunk);
    });
  }

  #count(bytes: number): void {
    const sent = this.#secured?.bytesWritten ?? 0;
    if (sent !== this.#sent) [this.#sent, this.#taken] = [sent, 0];
    this.#taken += bytes;
    if (this.#secured === undefined && this.#taken > HANDSHAKE_LIMIT) {
      const error = new Error(`the handshake is longer than ${HANDSHAKE_LIMIT / 1024} KB`);
      this.destroy(Object.assign(error, { code: 'ERR_TLS_HANDSHAKE_TOO_LONG' }));
    }
    if (this.#taken > REQUEST_LIMIT) {
      this.destroy(new Error(`the answer is longer than ${REQUEST_LIMIT / 1024} KB with its encryption`));
    }
  }

  #pass(chunk: Buffer): void {
    if (!this.push(chunk)) this.#socket.pause();
  }
}
