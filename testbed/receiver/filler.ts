import { Readable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import type { ReceiverClock } from './receiver-clock.ts';
import type { Filling, Trickle } from '../fault-script/behavior.ts';

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The bytes of a body; `length` is undefined when it is only known at the end, or when there is no end. */
export interface Content {
  readonly chunks: Chunks;
  readonly length: number | undefined;
}

const CHUNK = Buffer.alloc(65_536, '.');

export function contentOf(filling: Filling, gzip: boolean): Content {
  if ('text' in filling) {
    const bytes = Buffer.from(filling.text);
    return whole(gzip ? gzipSync(bytes) : bytes);
  }
  if (gzip) return { chunks: compressed(filler(filling.bytes)), length: undefined };
  return { chunks: filler(filling.bytes), length: Number.isFinite(filling.bytes) ? filling.bytes : undefined };
}

/** So many bytes, made as they are asked for: two gigabytes take no memory. */
export function* filler(bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= CHUNK.length) yield left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
}

/** The same bytes a few at a time, the first at once. Ends early when `over` aborts. */
export async function* dripped(
  chunks: Chunks,
  { bytes, everyMs }: Trickle,
  clock: ReceiverClock,
  over: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let first = true;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += bytes) {
      if (!first) await clock.sleep(everyMs, over);
      if (over.aborted) return;
      first = false;
      yield chunk.subarray(at, at + bytes);
    }
  }
}

function whole(bytes: Uint8Array): Content {
  return { chunks: [bytes], length: bytes.length };
}

/** Leaving the loop destroys the last stream; the first one is destroyed here, because `pipe` does not pass that on. */
async function* compressed(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(chunks);
  try {
    yield* source.pipe(createGzip());
  } finally {
    source.destroy();
  }
}
