import { hash } from 'node:crypto';

/** 96 bits that stand for a message id of a source, as three words of 32 bits. */
export interface Fingerprint {
  readonly home: number;
  readonly first: number;
  readonly second: number;
}

/** The bytes of one fingerprint where it is stored: its words, the lowest byte of each first. */
export const BYTES = 12;

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

export function fromBytes(bytes: Uint8Array): Fingerprint[] {
  return Array.from({ length: countIn(bytes.length) }, (_, index) => {
    const at = BYTES * index;
    return { home: wordIn(bytes, at), first: wordIn(bytes, at + 4), second: wordIn(bytes, at + 8) };
  });
}

/** Whether one of these fingerprints is the one. */
export function contains(bytes: Uint8Array, { home, first, second }: Fingerprint): boolean {
  for (let at = 0; at + BYTES <= bytes.length; at += BYTES) {
    if (wordIn(bytes, at) !== home) continue;
    if (wordIn(bytes, at + 4) === first && wordIn(bytes, at + 8) === second) return true;
  }
  return false;
}

/** By hand: no view is made for each of the many that are read. */
function wordIn(bytes: Uint8Array, at: number): number {
  const byte = (index: number): number => (bytes[at + index] ?? 0) << (8 * index);
  return (byte(0) | byte(1) | byte(2) | byte(3)) >>> 0;
}
