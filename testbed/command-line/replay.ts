import { readFile } from 'node:fs/promises';
import { fileFault } from '../recording/file-fault.ts';
import { readRecording } from '../recording/recording.ts';
import type { Recorded } from '../recording/recording.ts';
import { replay } from '../recording/replay.ts';
import type { Replayed } from '../recording/replay.ts';
import { signedAnew } from '../recording/signed-anew.ts';
import { targetOf } from '../receiver/forward-target.ts';
import { eventIn } from '../receiver/received.ts';
import type { Scheme } from '../schemes/scheme.ts';
import { schemeOf } from '../schemes/schemes.ts';
import { sizeText, subjectText, typeText } from './event-text.ts';
import { given } from './flag-values.ts';
import type { Style } from './human-report.ts';
import { GAP } from './layout.ts';
import type { ReplayFlags } from './replay-flags.ts';
import { complain, say, terminalStyle } from './terminal.ts';
import { fitted, printable, truncated } from './text-width.ts';
import { durationText } from './turn-text.ts';

const FAILED = 1;
const WIDTHS = { number: 5, type: 8, subject: 34, size: 8 };

/** Sends each request of a recording again, one after another; answers 0 when all were answered 2xx. */
export async function runReplay(flags: ReplayFlags): Promise<number> {
  const { file, to, json } = flags;
  const recording = await readRequests(file);
  if ('failure' in recording) return complain(`${recording.failure}; nothing was sent`, FAILED);
  const style = terminalStyle();
  if (!json) say([`${style.colors.bold('Replay')} of ${file} to ${style.colors.cyan(to)}`, '']);
  let taken = 0;
  for (const [index, recorded] of recording.requests.entries()) {
    const replayed = await send(recorded, flags);
    // The other requests would fare no better.
    if (index === 0 && replayed.answer === 'ECONNREFUSED')
      return complain(`Nobody listens at ${new URL(to).origin}; start it first, or give another --to`, FAILED);
    if (isTaken(replayed)) taken += 1;
    say([json ? jsonLine(replayed, index + 1) : line(replayed, index + 1, schemeOf(flags.scheme), style)]);
  }
  const [requests, ok] = [recording.requests.length, taken === recording.requests.length];
  say(
    json ? [JSON.stringify({ kind: 'summary', requests, taken, ok })] : ['', `${requests} sent, ${taken} answered 2xx`],
  );
  return ok ? 0 : FAILED;
}

/** As it was recorded, or signed anew for where it goes. */
async function send(recorded: Recorded, { to, secret, scheme }: ReplayFlags): Promise<Replayed> {
  if (secret === undefined) return replay(recorded, to);
  const { origin, path } = targetOf(to, recorded.path);
  const url = new URL(path, origin).href;
  return replay(signedAnew(recorded, { url, secret, ...given('scheme', scheme) }), origin.origin);
}

/** All of it is read before anything is done with it, so that a damaged file sends nothing. */
export async function readRequests(
  file: string,
): Promise<{ readonly requests: readonly Recorded[] } | { readonly failure: string }> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return { failure: fileFault('read', file, error) };
  }
  try {
    const requests = readRecording(text);
    return requests.length > 0 ? { requests } : { failure: `${file} holds no recorded request` };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { failure: `Cannot read ${file}: ${message}` };
  }
}

function isTaken({ answer }: Replayed): boolean {
  return typeof answer === 'number' && answer >= 200 && answer < 300;
}

function line(replayed: Replayed, number: number, scheme: Scheme, { colors, width }: Style): string {
  const { recorded, answer, ms } = replayed;
  const seen = { ...recorded, event: eventIn(recorded.body), scheme };
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
