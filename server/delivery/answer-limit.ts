import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/**
 * So many bytes of an answer are taken in, of whatever kind. What the parser counts (headers, body) ends an answer far
 * earlier; a reason phrase or a chunk extension it does not count, and one that never ends would keep a core busy for
 * the whole of the deadline.
 */
const ANSWER_LIMIT = 256 * 1024;
/**
 * So many bytes the parser gets at a time. It goes on to the end of a piece after it has found too many headers, and
 * makes an error for each that is left: in the 64 KB that a socket brings that is a tenth of a second without a turn
 * for anyone else, and a receiver could have it for every event, with a 200 in front.
 */
const PIECE = 4 * 1024;

/** Ends each connection that brings more than the limit for one request. */
export function limitAnswers(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error === null) limit(socket);
      callback(...result);
    });
}

/** The parser pulls with `read()`, and so what it gets is decided there; nothing but the parser reads this socket. */
function limit(socket: Socket): void {
  const read = socket.read.bind(socket);
  /** `bytesWritten` when it was last looked at: a change means another request, whose answer begins here. */
  let sent = 0;
  let taken = 0;
  socket.read = () => {
    if (socket.destroyed) return null;
    if (socket.bytesWritten !== sent) {
      sent = socket.bytesWritten;
      taken = 0;
    }
    // Without a size when nothing is there: that asks the socket for more.
    const piece: Buffer | null = read(Math.min(socket.readableLength, PIECE) || undefined);
    taken += piece?.length ?? 0;
    if (taken <= ANSWER_LIMIT) return piece;
    socket.destroy(new Error(`the answer is longer than ${ANSWER_LIMIT / 1024} KB`));
    return null;
  };
}
