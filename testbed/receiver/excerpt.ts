/** How much of an application's answer is kept. */
const KEPT_BYTES = 64 * 1024;

/** Counts what passes through, and keeps its beginning. */
export class Excerpt {
  readonly #chunks: Uint8Array[] = [];
  /** Of all chunks so far. */
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get beginning(): Uint8Array {
    return Buffer.concat(this.#chunks).subarray(0, KEPT_BYTES);
  }

  async *of(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      if (this.#bytes < KEPT_BYTES) this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      yield chunk;
    }
  }
}
