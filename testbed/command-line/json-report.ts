import { printScript } from '../fault-script/printer.ts';
import type { Turn } from '../fault-script/player.ts';
import type { Script } from '../fault-script/step.ts';
import { applicationFor } from '../receiver/forwarding.ts';
import { eventIdOf, eventTypeOf } from '../schemes/said.ts';
import { bodyView, headerOf } from '../receiver/received.ts';
import type { Received, ReceiverEvent } from '../receiver/received.ts';
import type { EndpointView } from '../receiver/receiver.ts';
import type { Opening, Report } from './report.ts';
import { holds } from './tally.ts';
import type { Tally } from './tally.ts';
import { answerText, reasonText } from './turn-text.ts';

/** One JSON object a line, told apart by `kind`. Header values are left out: static headers may hold credentials. */
export function jsonReport(): Report {
  return {
    start: (opening) => [JSON.stringify(listening(opening))],
    event: (event) => [JSON.stringify(happened(event))],
    end: (tally) => [JSON.stringify(summary(tally))],
  };
}

function listening({ url, elsewhere, endpoints, seed, ca, control, record, har }: Opening) {
  const rest = endpoints.find(({ path }) => path === undefined);
  return {
    kind: 'listening',
    url,
    elsewhere,
    ...(rest === undefined ? {} : view(rest)),
    seed,
    ...(endpoints.length > 1 ? { endpoints: endpoints.filter(({ path }) => path !== undefined).map(view) } : {}),
    ca,
    control,
    record,
    har,
  };
}

function view({ path, script, isChecking, application }: EndpointView) {
  const signature = isChecking ? 'checked' : 'not expected';
  return { path, script: printScript(script), signature, forward: application };
}

function happened(event: ReceiverEvent) {
  switch (event.kind) {
    case 'received':
      return { kind: event.kind, ...request(event.request), ...answer(event.request.turn, event.request.script) };
    case 'left':
      return { kind: event.kind, number: event.request.number, afterMs: event.afterMs };
    case 'turned-away':
      return {
        kind: event.kind,
        at: time(event.at),
        endpoint: event.endpoint,
        ...answer(event.turn, event.turn.script),
      };
    case 'forwarded': {
      const { status, failure, afterMs, bytes } = event.answer;
      return { kind: event.kind, number: event.request.number, status, failure, afterMs, bytes };
    }
    case 'scripted':
      return { kind: event.kind, at: time(event.at), endpoint: event.endpoint, script: printScript(event.script) };
    case 'reset':
      return { kind: event.kind, at: time(event.at) };
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
    endpoint: received.endpoint,
    forward: applicationFor(received),
    type: eventTypeOf(received),
    eventId: eventIdOf(received),
    attempt: received.attempt,
    userAgent: headerOf(received, 'user-agent'),
    contentType: headerOf(received, 'content-type'),
    signature: received.signature,
    bytes: received.body.length,
    ...bodyView(received.body),
  };
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
