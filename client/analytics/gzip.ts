/**
 * Compresses a text with what browsers, Node and edge runtimes have in common. Undefined where they lack it, or it breaks, as for
 * want of memory.
 */
export async function gzip(text: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    return undefined;
  }
}
