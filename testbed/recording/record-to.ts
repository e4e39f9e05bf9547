import type { Receiver } from '../receiver/receiver.ts';
import { recordingLine } from './recording.ts';
import { type RecordingError, Sink } from './sink.ts';

/** A file that grows while a receiver runs. */
export interface Recording extends AsyncDisposable {
  /** Set when the file could not be written any more: what came from then on is not in it. */
  readonly failure: RecordingError | undefined;
  /** Resolves when all that came is in the file; can be called again. */
  close(): Promise<void>;
}

/**
 * Adds every request that the receiver reads to a file, one JSON object a line, as `readRecording` reads it. Rejects
 * with a RecordingError when the file cannot be opened; a later failure is told to `onFailure`, once.
 */
export async function recordTo(
  receiver: Receiver,
  file: string,
  onFailure?: (error: RecordingError) => void,
): Promise<Recording> {
  return recordInto(receiver, await Sink.open(file, 'a', onFailure));
}

/** The same for a file that is open already, so that nothing is missed meanwhile. */
export function recordInto(receiver: Receiver, sink: Sink): Recording {
  // An empty line parts the runs, and ends a line that an earlier run could not end.
  if (sink.size > 0) void sink.write('\n');
  const stop = receiver.onEvent((event) => {
    if (event.kind === 'received') void sink.write(`${recordingLine(event.request)}\n`);
  });
  return recordingOf(sink, stop);
}

/** What both kinds of files have in common: `finish` is called once, before the file is closed. */
export function recordingOf(sink: Sink, finish: () => void): Recording {
  let isFinished = false;
  const close = async () => {
    if (!isFinished) finish();
    isFinished = true;
    await sink.close();
  };
  return {
    get failure() {
      return sink.failure;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
