import { joined } from '../bytes.ts';

/** All bytes of a stream, or undefined when there are more than the limit. */
export async function readAll(chunks: AsyncIterable<unknown>, limit: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) continue;
    length += chunk.length;
    if (length > limit) return undefined;
    parts.push(chunk);
  }
  return joined(parts);
}
