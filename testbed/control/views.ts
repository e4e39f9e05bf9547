import type { components } from '../../generated/receiver-control.d.ts';
import { printScript } from '../fault-script/printer.ts';
import type { Script } from '../fault-script/step.ts';
import type { EndpointView, Receiver } from '../receiver/receiver.ts';
import type { Forwarded, Received } from '../receiver/received.ts';
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

export function endpointView({ path, script, isChecking, application }: EndpointView): Schemas['Endpoint'] {
  return {
    ...(path === undefined ? {} : { path }),
    script: printScript(script),
    steps: stepsOf(script),
    checksSignatures: isChecking,
    ...(application === undefined ? {} : { forward: application }),
  };
}

/** The document and the language say the same in other types; a test holds them together. */
function stepsOf(script: Script): Schemas['Script'] {
  const steps: Schemas['Script'] = JSON.parse(JSON.stringify(script));
  return steps;
}

export function requestView(request: Received, forwarded: Forwarded | undefined): Schemas['Request'] {
  const { number, at, method, path, endpoint, headers, body, event, attempt, signature, turn, script } = request;
  return {
    number,
    at: new Date(at).toISOString(),
    method,
    path,
    ...(endpoint === undefined ? {} : { endpoint }),
    headers: headers.map(([name, value]) => ({ name, value })),
    bytes: body.length,
    ...bodyView(body),
    ...(event === undefined ? {} : { event: { ...event } }),
    attempt,
    signature: { ...signature },
    answer: {
      said: answerText(turn),
      delayMs: turn.delayMs,
      ...(turn.step === undefined ? {} : { step: turn.step }),
      reason: reasonText(turn, script),
    },
    ...(forwarded === undefined ? {} : { forwarded: forwardedView(forwarded) }),
  };
}

/** Text as text, and what is no UTF-8 in base64: either way all of its bytes. */
export function bodyView(bytes: Uint8Array): { body: string } | { bodyBase64: string } {
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { bodyBase64: Buffer.from(bytes).toString('base64') };
  }
}

function forwardedView({ status, failure, afterMs, bytes }: Forwarded): Schemas['Forwarded'] {
  return { status, ...(failure === undefined ? {} : { failure }), afterMs, bytes };
}
