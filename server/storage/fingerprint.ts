import { hash } from 'node:crypto';

/** 96 bits that stand for a message id of a source, as three words of 32 bits. */
export interface Fingerprint {
  readonly home: number;
  readonly first: number;
  readonly second: number;
}

/** The bytes of one fingerprint in the file. */
const BYTES = 12;

/** The beginning of a SHA-1. That an id is taken for another of 40 million happens once in about 10¹⁷ (decisions/012). */
export function fingerprintOf(source: number, messageId: string): Fingerprint {
  // As text of one byte each: a buffer for every id would cost as much again as the hash.
  const digest = hash('sha1', `${source} ${messageId}`, 'binary');
  return { home: wordAt(digest, 0), first: wordAt(digest, 4), second: wordAt(digest, 8) };
}

function wordAt(text: string, at: number): number {
  const code = (index: number): number => text.charCodeAt(at + index) << (8 * index);
  return (code(0) | code(1) | code(2) | code(3)) >>> 0;
}

export function toBytes(fingerprints: readonly Fingerprint[]): Buffer {
  const bytes = Buffer.allocUnsafe(BYTES * fingerprints.length);
  for (const [index, { home, first, second }] of fingerprints.entries()) {
    const at = BYTES * index;
    bytes.writeUInt32LE(home, at);
    bytes.writeUInt32LE(first, at + 4);
    bytes.writeUInt32LE(second, at + 8);
  }
  return bytes;
}

/** How many fingerprints so many bytes hold. */
export function countIn(bytes: number): number {
  return Math.floor(bytes / BYTES);
}

export function* fromBytes(bytes: Uint8Array): Generator<Fingerprint> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + BYTES <= buffer.length; at += BYTES) {
    yield { home: buffer.readUInt32LE(at), first: buffer.readUInt32LE(at + 4), second: buffer.readUInt32LE(at + 8) };
  }
}
