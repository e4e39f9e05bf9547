import { exampleOf, webhookRequest } from '../../index.ts';
import { MswEndpoint } from '../../msw/index.ts';
import type { Observed } from '../../audit/observed.ts';
import { type Scheme, SCHEMES, signedRequest } from '../../schemes/index.ts';
import type { Place } from '../../schemes/scheme.ts';
import { ManualClock } from './manual-clock.ts';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const URL_OF_ENDPOINT = 'https://shop.example/hooks';

/** Which event is sent, and how long after the request before it. */
export type Sending = readonly [event: 'first' | 'second', afterMs: number];

export interface History {
  readonly script: string;
  readonly sent: readonly Sending[];
}

interface Told {
  readonly headers: Record<string, string>;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly url: string;
}

/** What an endpoint with the scheme `of` records of a sender that signs by `scheme`, and says what it has places for. */
export async function sentAs(scheme: Scheme, { script, sent }: History, of = scheme): Promise<readonly Observed[]> {
  const clock = new ManualClock();
  using endpoint = new MswEndpoint({ url: URL_OF_ENDPOINT, secret: SECRET, scheme: of, script, clock });
  for (const [event, afterMs] of sent) {
    clock.advance(afterMs);
    const { url, headers, body } = scheme === SCHEMES.waybill ? ofWaybill(event, clock) : ofOther(scheme, event, clock);
    await endpoint.turnFor(new Request(url, { method: 'POST', headers: { ...headers, Host: 'shop.example' }, body }));
  }
  return endpoint.received;
}

/** The first tells of a membership, the second is a notice. */
function ofWaybill(event: Sending[0], clock: ManualClock): Told {
  const times = { receivedAt: new Date(BEGINNING + (event === 'first' ? 0 : 1)).toISOString(), userId: 'u1' };
  const told =
    event === 'first'
      ? exampleOf('identify', { ...times, messageId: 'first', traits: { big_spenders: true } })
      : exampleOf('track', {
          ...times,
          messageId: 'second',
          event: 'destination.parked',
          properties: { destination: 'd' },
        });
  return { url: URL_OF_ENDPOINT, ...mutable(webhookRequest(told, { secret: SECRET, at: clock.now() })) };
}

const BEGINNING = new ManualClock().now();

function ofOther(scheme: Scheme, event: Sending[0], clock: ManualClock): Told {
  const { id, type } = scheme.places;
  const [ids, types] = [saying(id[0], event), saying(type[0], 'invoice.paid')];
  const body = { ...ids.body, ...types.body, note: event };
  const headers = { ...ids.headers, ...types.headers };
  const request = { scheme, secret: SECRET, url: URL_OF_ENDPOINT, body, headers, at: clock.now(), id: event };
  return { ...mutable(signedRequest(request)), url: signedRequest(request).url };
}

function mutable({ headers, body }: { headers: Readonly<Record<string, string>>; body: Uint8Array<ArrayBuffer> }) {
  return { headers: { ...headers }, body };
}

/** What a request has where this place is. */
function saying(place: Place | undefined, value: string) {
  if (place === undefined) return { headers: {}, body: {} };
  if ('header' in place) return { headers: { [place.header]: value }, body: {} };
  return { headers: {}, body: nested(place.field.split('.'), value) };
}

function nested([key = '', ...inner]: readonly string[], value: string): Record<string, unknown> {
  return { [key]: inner.length === 0 ? value : nested(inner, value) };
}
