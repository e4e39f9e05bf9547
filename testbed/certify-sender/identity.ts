import { headerOf, textOf } from '../receiver/received.ts';
import { eventIn } from '../receiver/received.ts';
import type { Arrival } from '../receiver/recorder.ts';

/** Headers and fields in which senders commonly say which event it is; the first that is there counts. */
const HEADERS = [
  'webhook-id',
  'svix-id',
  'idempotency-key',
  'x-github-delivery',
  'x-shopify-event-id',
  'x-shopify-webhook-id',
  'x-request-id',
];
const FIELDS = ['messageId', 'message_id', 'id', 'eventId', 'event_id', 'uuid'];

const ELSEWHERE = '/elsewhere/';

/** Where a redirect of this event points. */
export function elsewhereOf(mark: string): string {
  return ELSEWHERE + mark;
}

export function isElsewhere({ path }: Pick<Arrival, 'path'>): boolean {
  return path.startsWith(ELSEWHERE);
}

/** Which event a request says that it is; `field` names a header or a field of its JSON body in place of the common ones. */
export function idIn(arrival: Pick<Arrival, 'headers' | 'body'>, field?: string): string | undefined {
  if (field !== undefined) return headerOf(arrival, field) ?? fieldIn(arrival.body, [field]);
  for (const name of HEADERS) {
    const value = headerOf(arrival, name);
    if (value !== undefined) return value;
  }
  return fieldIn(arrival.body, FIELDS);
}

function fieldIn(body: Uint8Array, names: readonly string[]): string | undefined {
  const event = eventIn(body);
  if (event === undefined) return undefined;
  for (const name of names) {
    const value = textOf({ event }, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Marks of one run, all of one form, so that a request is searched for all of them at once. */
export class Marks {
  readonly #run: string;
  #count = 0;

  /** `run`: a few letters and digits that no other run has. */
  constructor(run: string) {
    this.#run = run;
  }

  next(): string {
    this.#count += 1;
    return `certify-${this.#run}-${String(this.#count).padStart(4, '0')}`;
  }

  /** The mark that a request carries, in its path, a header or its body. */
  in({ path, headers, body }: Pick<Arrival, 'path' | 'headers' | 'body'>): string | undefined {
    const pattern = new RegExp(`certify-${this.#run}-\\d{4}`);
    const texts = [path, ...headers.map(([, value]) => value), Buffer.from(body).toString('latin1')];
    return texts.map((text) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
  }
}
