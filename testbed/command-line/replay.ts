import { readFile } from 'node:fs/promises';
import { fileFault } from '../recording/file-fault.ts';
import { readRecording } from '../recording/recording.ts';
import type { Recorded } from '../recording/recording.ts';
import { replay } from '../recording/replay.ts';
import type { Replayed } from '../recording/replay.ts';
import { eventIn } from '../receiver/received.ts';
import { sizeText, subjectText, typeText } from './event-text.ts';
import type { Style } from './human-report.ts';
import { GAP } from './layout.ts';
import type { ReplayFlags } from './replay-flags.ts';
import { complain, say, terminalStyle } from './terminal.ts';
import { fitted, printable, truncated } from './text-width.ts';
import { durationText } from './turn-text.ts';

const FAILED = 1;
const WIDTHS = { number: 5, type: 8, subject: 34, size: 8 };

/** Sends each request of a recording again, one after another; answers 0 when all were answered 2xx. */
export async function runReplay({ file, to, json }: ReplayFlags): Promise<number> {
  const recording = await read(file);
  if ('failure' in recording) return complain(recording.failure, FAILED);
  const style = terminalStyle();
  if (!json) say([`${style.colors.bold('Replay')} of ${file} to ${style.colors.cyan(to)}`, '']);
  let taken = 0;
  for (const [index, recorded] of recording.requests.entries()) {
    const replayed = await replay(recorded, to);
    // The other requests would fare no better.
    if (index === 0 && replayed.answer === 'ECONNREFUSED')
      return complain(`Nobody listens at ${new URL(to).origin}; start it first, or give another --to`, FAILED);
    if (isTaken(replayed)) taken += 1;
    say([json ? jsonLine(replayed, index + 1) : line(replayed, index + 1, style)]);
  }
  const [requests, ok] = [recording.requests.length, taken === recording.requests.length];
  say(
    json ? [JSON.stringify({ kind: 'summary', requests, taken, ok })] : ['', `${requests} sent, ${taken} answered 2xx`],
  );
  return ok ? 0 : FAILED;
}

/** All of it is read before anything is sent, so that a damaged file sends nothing. */
async function read(file: string): Promise<{ readonly requests: readonly Recorded[] } | { readonly failure: string }> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return { failure: fileFault('read', file, error) };
  }
  try {
    const requests = readRecording(text);
    return requests.length > 0 ? { requests } : { failure: `${file} holds no recorded request; nothing was sent` };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { failure: `Cannot replay ${file}: ${message}; nothing was sent` };
  }
}

function isTaken({ answer }: Replayed): boolean {
  return typeof answer === 'number' && answer >= 200 && answer < 300;
}

function line(replayed: Replayed, number: number, { colors, width }: Style): string {
  const { recorded, answer, ms } = replayed;
  const seen = { ...recorded, event: eventIn(recorded.body) };
  const cells = [
    colors.dim(fitted(`#${number}`, WIDTHS.number)),
    colors.bold(fitted(typeText(seen), WIDTHS.type)),
    fitted(subjectText(seen), WIDTHS.subject),
    fitted(sizeText(recorded.body), WIDTHS.size, 'right'),
  ];
  const room = width() - Object.values(WIDTHS).reduce((sum, each) => sum + each + GAP.length, 0);
  const text = truncated(printable(`${answer} after ${durationText(ms)}`), Math.max(10, room));
  return [...cells, isTaken(replayed) ? colors.green(text) : colors.red(text)].join(GAP);
}

function jsonLine({ recorded: { at, method, path, body }, answer, ms }: Replayed, number: number): string {
  return JSON.stringify({ kind: 'replayed', number, at, method, path, bytes: body.length, answer, ms });
}
