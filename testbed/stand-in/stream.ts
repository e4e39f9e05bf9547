import { Readable } from 'node:stream';

/** The stream that a handler answered, as the web has them; undefined for another answer. */
export function streamOf(answer: unknown): ReadableStream<Uint8Array> | undefined {
  if (!(answer instanceof Readable)) return undefined;
  const source = answer;
  return new ReadableStream({
    start(controller) {
      source.on('data', (chunk: Uint8Array) => controller.enqueue(chunk));
      source.on('end', () => controller.close());
      source.on('error', (error) => controller.error(error));
    },
    cancel() {
      source.destroy();
    },
  });
}
