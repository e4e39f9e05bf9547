import { connect } from 'node:net';

/** Sends a request byte for byte over a connection of its own; answers the status line. */
export async function replay(url: string, request: Buffer): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  try {
    socket.write(request);
    const chunks: Buffer[] = [];
    // A socket without an encoding yields buffers.
    const stream: AsyncIterable<Buffer> = socket;
    for await (const chunk of stream) {
      chunks.push(chunk);
      const answer = Buffer.concat(chunks);
      if (isWhole(answer)) return answer.toString('latin1', 0, answer.indexOf('\r\n'));
    }
    throw new Error(`the router ended the connection after ${Buffer.concat(chunks).toString('utf8')}`);
  } finally {
    socket.destroy();
  }
}

function isWhole(answer: Buffer): boolean {
  const headersEnd = answer.indexOf('\r\n\r\n') + 4;
  if (headersEnd < 4) return false;
  const [, length = '0'] = /\r\ncontent-length: (\d+)\r\n/i.exec(answer.toString('latin1', 0, headersEnd)) ?? [];
  return answer.length >= headersEnd + Number(length);
}
