import { applicationFor } from '../receiver/forwarding.ts';
import type { Received } from '../receiver/received.ts';
import type { Receiver } from '../receiver/receiver.ts';
import { entryOf, harOf } from './har.ts';
import { type Recording, recordingOf } from './record-to.ts';
import { type RecordingError, Sink } from './sink.ts';

const END = ']}}\n';

/**
 * Writes an HTTP archive (HAR 1.2) of all that the receiver reads. The file is whole after every entry: the end of the
 * archive is written behind it, and overwritten by the next. A request that goes on to an application is in it once the
 * application has answered, or when the archive is closed. Failures are as those of `recordTo`.
 */
export async function archiveTo(
  receiver: Receiver,
  file: string,
  onFailure?: (error: RecordingError) => void,
): Promise<Recording> {
  return archiveInto(receiver, await Sink.open(file, 'w', onFailure));
}

/** The same for a file that is open already, so that nothing is missed meanwhile. */
export function archiveInto(receiver: Receiver, sink: Sink): Recording {
  const archive = new Archive(sink, receiver.url);
  const stop = receiver.onEvent((event) => {
    if (event.kind === 'received') archive.begin(event.request);
    if (event.kind === 'forwarded') archive.add(event.request, receiver);
    if (event.kind === 'left') archive.finish(event.request, receiver);
  });
  return recordingOf(sink, () => {
    stop();
    archive.end(receiver);
  });
}

class Archive {
  readonly #sink: Sink;
  readonly #url: string;
  /** Requests whose application has not answered yet. */
  readonly #open = new Set<Received>();
  /** Where the next entry goes. */
  #at: number;
  #entries = 0;

  constructor(sink: Sink, url: string) {
    this.#sink = sink;
    this.#url = url;
    const head = JSON.stringify(harOf([], url)).slice(0, -END.trim().length);
    this.#at = Buffer.byteLength(head);
    void sink.write(head + END, 0);
  }

  begin(request: Received): void {
    if (applicationFor(request) === undefined) this.#write(request);
    else this.#open.add(request);
  }

  add(request: Received, answers: Pick<Receiver, 'answerTo'>): void {
    this.#open.delete(request);
    this.#write(request, answers);
  }

  finish(request: Received, answers: Pick<Receiver, 'answerTo'>): void {
    if (this.#open.has(request)) this.add(request, answers);
  }

  end(answers: Pick<Receiver, 'answerTo'>): void {
    for (const request of this.#open) this.add(request, answers);
  }

  #write(request: Received, answers?: Pick<Receiver, 'answerTo'>): void {
    const entry = JSON.stringify(entryOf(request, this.#url, answers?.answerTo(request)));
    const text = `${this.#entries === 0 ? '' : ','}\n${entry}`;
    void this.#sink.write(text + END, this.#at);
    this.#at += Buffer.byteLength(text);
    this.#entries += 1;
  }
}
