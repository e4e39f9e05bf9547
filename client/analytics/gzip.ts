/** Compresses a text with what browsers, Node and edge runtimes have in common. */
export async function gzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export function canGzip(): boolean {
  return typeof CompressionStream === 'function';
}
