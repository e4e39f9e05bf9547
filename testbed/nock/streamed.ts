import { Readable } from 'node:stream';

/** Chunks as nock takes them: a byte stream, not one of objects. */
export function streamed(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Readable {
  return Readable.from(body, { objectMode: false });
}
