import type { components } from '../../generated/receiver-control.d.ts';
import { printScript } from '../fault-script/printer.ts';
import type { Script } from '../fault-script/step.ts';
import type { PlayedTurn } from '../receiver/playback.ts';
import type { EndpointView, Receiver } from '../receiver/receiver.ts';
import { bodyView, type Forwarded, type Received, type ReceiverEvent, textOf } from '../receiver/received.ts';
import { eventTypeOf } from '../schemes/said.ts';
import { answerText, reasonText } from '../receiver/turn-words.ts';

type Schemas = components['schemas'];

/** What the document shows of a receiver; shared secrets are not among it. */
export function receiverView(receiver: Receiver): Schemas['Receiver'] {
  const { url, ca, endpoints } = receiver;
  return {
    url,
    ...(ca === undefined ? {} : { ca }),
    endpoints: endpoints.map(endpointView),
    received: countOf(receiver),
  };
}

/** How many came since the last reset, also when the receiver keeps only the latest. */
export function countOf({ received }: Receiver): number {
  return received.at(-1)?.number ?? 0;
}

export function endpointView({
  path,
  script,
  isChecking,
  canSign,
  application,
  next,
}: EndpointView): Schemas['Endpoint'] {
  return {
    ...(path === undefined ? {} : { path }),
    script: printScript(script),
    steps: stepsOf(script),
    next: next.map(({ type, turn }) => ({ ...(type === undefined ? {} : { type }), answer: answerView(turn) })),
    checksSignatures: isChecking,
    canSign,
    ...(application === undefined ? {} : { forward: application }),
  };
}

/** The document and the language say the same in other types; a test holds them together. */
function stepsOf(script: Script): Schemas['Script'] {
  const steps: Schemas['Script'] = JSON.parse(JSON.stringify(script));
  return steps;
}

/** With all of its body, or with at most so many bytes of it. */
export function requestView(
  request: Received,
  forwarded: Forwarded | undefined,
  bodyLimit = Number.POSITIVE_INFINITY,
): Schemas['Request'] {
  const { number, at, method, path, endpoint, headers, body, event, attempt, signature, turn, script } = request;
  const isCut = body.length > bodyLimit;
  return {
    number,
    at: new Date(at).toISOString(),
    method,
    path,
    ...(endpoint === undefined ? {} : { endpoint }),
    headers: headers.map(([name, value]) => ({ name, value })),
    bytes: body.length,
    ...(isCut ? { ...beginningView(body.subarray(0, bodyLimit)), isCut } : bodyView(body)),
    ...(event === undefined || isCut ? {} : { event: { ...event } }),
    attempt,
    signature: { ...signature },
    answer: answerView({ ...turn, script }),
    ...(forwarded === undefined ? {} : { forwarded: forwardedView(forwarded) }),
  };
}

const MAX_TEXT = 200;

export function summaryView(request: Received, forwarded: Forwarded | undefined): Schemas['Summary'] {
  const { number, at, method, path, endpoint, body, attempt, signature, turn, script } = request;
  const [type, event] = [eventTypeOf(request), textOf(request, 'event')];
  return {
    number,
    at: new Date(at).toISOString(),
    method,
    path: path.slice(0, MAX_TEXT),
    ...(endpoint === undefined ? {} : { endpoint }),
    bytes: body.length,
    attempt,
    ...(type === undefined ? {} : { type: type.slice(0, MAX_TEXT) }),
    ...(event === undefined ? {} : { event: event.slice(0, MAX_TEXT) }),
    signature: { ...signature },
    answer: answerView({ ...turn, script }),
    ...(forwarded === undefined ? {} : { forwarded: forwardedView(forwarded) }),
  };
}

/** What happened beside a request that was read; undefined for the rest. */
export function incidentView(event: ReceiverEvent): Schemas['Incident'] | undefined {
  switch (event.kind) {
    case 'left': {
      const { number, at } = event.request;
      const after = `after ${event.afterMs} ms, before its answer was complete`;
      return incident(at + event.afterMs, `#${number}: the sender hung up ${after}`);
    }
    case 'turned-away': {
      const where = event.endpoint === undefined ? '' : ` to ${event.endpoint}`;
      const reason = reasonText(event.turn, event.turn.script);
      return incident(event.at, `A request${where} was not read: ${answerText(event.turn)}, ${reason}`);
    }
    case 'unreadable':
      return incident(event.at, `Something came that is not counted: ${event.reason}`);
    case 'received':
    case 'forwarded':
    case 'scripted':
    case 'reset':
      return undefined;
  }
}

function incident(at: number, text: string): Schemas['Incident'] {
  return { at: new Date(at).toISOString(), text };
}

function answerView(turn: PlayedTurn): Schemas['Answer'] {
  const { delayMs, step, script } = turn;
  return {
    said: answerText(turn),
    delayMs,
    ...(step === undefined ? {} : { step }),
    reason: reasonText(turn, script),
  };
}

/** A letter that was cut through is left out, so that a text stays one. */
function beginningView(bytes: Uint8Array): { body: string } | { bodyBase64: string } {
  for (const shorter of [0, 1, 2, 3]) {
    const view = bodyView(bytes.subarray(0, bytes.length - shorter));
    if ('body' in view) return view;
  }
  return bodyView(bytes);
}

function forwardedView({ status, failure, afterMs, bytes }: Forwarded): Schemas['Forwarded'] {
  return { status, ...(failure === undefined ? {} : { failure }), afterMs, bytes };
}
