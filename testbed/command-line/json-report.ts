import { printScript } from '../fault-script/printer.ts';
import type { Turn } from '../fault-script/player.ts';
import type { Script } from '../fault-script/step.ts';
import { headerOf, textOf } from '../receiver/received.ts';
import type { Received, ReceiverEvent } from '../receiver/received.ts';
import type { Opening, Report } from './report.ts';
import { holds } from './tally.ts';
import type { Tally } from './tally.ts';
import { answerText, reasonText } from './turn-text.ts';

/** One JSON object a line, told apart by `kind`. Header values are left out: static headers may hold credentials. */
export function jsonReport(script: Script): Report {
  return {
    start: (opening) => [JSON.stringify(listening(opening))],
    event: (event) => [JSON.stringify(happened(event, script))],
    end: (tally) => [JSON.stringify(summary(tally))],
  };
}

function listening({ url, script, seed, checks }: Opening) {
  return { kind: 'listening', url, script: printScript(script), seed, signature: checks ? 'checked' : 'not expected' };
}

function happened(event: ReceiverEvent, script: Script) {
  switch (event.kind) {
    case 'received':
      return { kind: event.kind, ...request(event.request), ...answer(event.request.turn, script) };
    case 'left':
      return { kind: event.kind, number: event.request.number, afterMs: event.afterMs };
    case 'turned-away':
      return { kind: event.kind, at: time(event.at), ...answer(event.turn, script) };
    case 'unreadable':
      return { kind: event.kind, at: time(event.at), reason: event.reason };
  }
}

function request(received: Received) {
  return {
    number: received.number,
    at: time(received.at),
    method: received.method,
    path: received.path,
    type: textOf(received, 'type'),
    messageId: textOf(received, 'messageId'),
    attempt: received.attempt,
    userAgent: headerOf(received, 'user-agent'),
    contentType: headerOf(received, 'content-type'),
    signature: received.signature,
    bytes: received.body.length,
    ...body(received.body),
  };
}

/** Text as text, and what is no UTF-8 in base64: either way all of its bytes. */
function body(bytes: Uint8Array) {
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { bodyBase64: Buffer.from(bytes).toString('base64') };
  }
}

function answer(turn: Turn, script: Script) {
  const { step, delayMs } = turn;
  return { answer: answerText(turn), delayMs, step, reason: reasonText(turn, script) };
}

function summary(tally: Tally) {
  return { kind: 'summary', ...tally, answered: Object.fromEntries(tally.answered), ok: holds(tally) };
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
