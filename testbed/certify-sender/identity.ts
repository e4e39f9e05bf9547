import type { Arrival } from '../receiver/recorder.ts';
import type { Place, Scheme } from '../schemes/scheme.ts';
import { SCHEMES } from '../schemes/schemes.ts';

/** Where senders commonly say which event it is: headers before fields, those of schemes before others. */
const OF_SCHEMES = Object.values<Scheme>(SCHEMES).flatMap(({ places }) => places.id);
const FIELDS = ['messageId', 'message_id', 'id', 'eventId', 'event_id', 'uuid'];
const COMMON: readonly Place[] = [
  ...OF_SCHEMES.filter((place) => 'header' in place),
  { header: 'idempotency-key' },
  { header: 'x-request-id' },
  ...FIELDS.map((field) => ({ field })),
];

const ELSEWHERE = '/elsewhere/';

/** Where a redirect of this event points. */
export function elsewhereOf(mark: string): string {
  return ELSEWHERE + mark;
}

export function isElsewhere({ path }: Pick<Arrival, 'path'>): boolean {
  return path.startsWith(ELSEWHERE);
}

/** Where events of a sender say which they are: in what `idField` names, else where its scheme has it, else as is common. */
export function idPlaces(idField: string | undefined, scheme: Scheme | undefined): readonly Place[] {
  if (idField !== undefined) return [{ header: idField }, { field: idField }];
  return [...(scheme?.places.id ?? []), ...COMMON];
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
