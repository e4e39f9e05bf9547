import { openControl } from '../control/control.ts';
import { archiveInto } from '../recording/archive-to.ts';
import { type Recording, recordInto } from '../recording/record-to.ts';
import { type RecordingError, Sink } from '../recording/sink.ts';
import { createReceiver } from '../receiver/receiver.ts';
import type { Receiver } from '../receiver/receiver.ts';
import type { ReceiverEvent } from '../receiver/received.ts';
import { writeCaFile } from './ca-file.ts';
import { elsewhere } from './elsewhere.ts';
import { given } from './flag-values.ts';
import type { Flags } from './flags.ts';
import { humanReport } from './human-report.ts';
import { jsonReport } from './json-report.ts';
import { Parts } from './parts.ts';
import type { Opening, Report } from './report.ts';
import { count, EMPTY_TALLY, holds, type Tally } from './tally.ts';
import { complain, say, terminalStyle, toldToEnd } from './terminal.ts';

/** Requests that stay in memory, for the page and the control API, and how much their bodies take. */
const KEPT = 1000;
const KEPT_BYTES = 64 * 1024 * 1024;

const FAILED = 1;

/** Runs a receiver, and all that goes with it, until it is told to end; answers the exit code. */
export async function serve(flags: Flags): Promise<number> {
  await using parts = new Parts();
  const { record, har, controlPort, json, help: _, ...options } = flags;
  // Opened before it listens: whatever comes first is in them.
  const recorded = record === undefined ? undefined : parts.use(await Sink.open(record, 'a', tellFailure));
  const archived = har === undefined ? undefined : parts.use(await Sink.open(har, 'w', tellFailure));
  const receiver = parts.use(await createReceiver({ ...options, keep: KEPT, keepBytes: KEPT_BYTES }));
  const recordings = [
    ...(recorded === undefined ? [] : [recordInto(receiver, recorded)]),
    ...(archived === undefined ? [] : [archiveInto(receiver, archived)]),
  ];
  const show = new Show(receiver, json ? jsonReport() : humanReport(terminalStyle()));
  // Who reads JSON looks at no page; nobody asked for an API then.
  const needsToken = controlPort === undefined;
  const isWanted = !needsToken || !json;
  const control = isWanted ? parts.use(await openControl(receiver, { port: controlPort ?? 0, needsToken })) : undefined;
  const ca = parts.use(await writeCaFile(receiver.ca));
  const files = { ...given('ca', ca.path), ...given('record', record), ...given('har', har) };
  const { url, endpoints } = receiver;
  show.begin({
    url,
    ...given('elsewhere', elsewhere(options.host, url)),
    endpoints,
    seed: options.seed,
    ...given('page', control?.page),
    ...given('control', needsToken ? undefined : control?.url),
    ...files,
  });
  const failure = await toldToEnd();
  await receiver.close();
  return end(show, recordings, failure);
}

function tellFailure({ message }: RecordingError): void {
  complain(`${message}; what comes from here on is not in it`, FAILED);
}

async function end(show: Show, recordings: readonly Recording[], failure: Error | undefined): Promise<number> {
  for (const recording of recordings) await recording.close();
  if (failure !== undefined) return complain(`Cannot write the output: ${failure.message}`, FAILED);
  const tally = show.end();
  return holds(tally) && recordings.every((recording) => recording.failure === undefined) ? 0 : FAILED;
}

/** Writes what happens, in the order in which it does: what happens before the opening is written after it. */
class Show {
  readonly #report: Report;
  #tally = EMPTY_TALLY;
  /** Undefined once the opening is written. */
  #early: ReceiverEvent[] | undefined = [];

  constructor(receiver: Receiver, report: Report) {
    this.#report = report;
    receiver.onEvent((event) => {
      if (this.#early === undefined) this.#tell(event);
      else this.#early.push(event);
    });
  }

  begin(opening: Opening): void {
    say(this.#report.start(opening));
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const event of early) this.#tell(event);
  }

  end(): Tally {
    say(this.#report.end(this.#tally));
    return this.#tally;
  }

  #tell(event: ReceiverEvent): void {
    this.#tally = count(this.#tally, event);
    say(this.#report.event(event));
  }
}
