import { createHmac } from 'node:crypto';
import type { PostRequest } from '../../../server/ports/transport.ts';
import type { Observed } from '../../audit/observed.ts';
import { SECRET, type Twist } from './sender.ts';

type Json = Record<string, unknown>;

const sign = (body: string | Uint8Array, secret = SECRET, hash = 'sha1') => createHmac(hash, secret).update(body);
const textOf = ({ body }: PostRequest) => Buffer.from(body).toString('utf8');

function headers(change: (all: Record<string, string>) => Record<string, string | undefined>): Twist {
  return {
    request: (request) => ({
      ...request,
      headers: Object.fromEntries(
        Object.entries(change({ ...request.headers })).flatMap(([key, value]) =>
          value === undefined ? [] : [[key, value]],
        ),
      ),
    }),
  };
}

const signature = (make: (request: PostRequest) => string): Twist => ({
  request: (request) => ({ ...request, headers: { ...request.headers, 'X-Signature': make(request) } }),
});

/** Another body, signed as it ought to be: only the body itself can give the sender away. */
const resigned = (make: (text: string, attempt: number) => string): Twist => ({
  request: (request, attempt) => {
    const body = make(textOf(request), attempt);
    return {
      ...request,
      body: Buffer.from(body),
      headers: { ...request.headers, 'X-Signature': sign(body).digest('hex') },
    };
  },
});

const unsigned = (make: (text: string) => string): Twist => ({
  request: (request) => ({ ...request, body: Buffer.from(make(textOf(request))) }),
});

const json = (change: (event: Json, attempt: number) => unknown): Twist =>
  resigned((text, attempt) => {
    const event: Json = JSON.parse(text);
    return JSON.stringify(change(event, attempt));
  });

const history = (change: (observed: readonly Observed[]) => readonly Observed[]): Twist => ({ history: change });

const without = (event: Json, field: string): Json =>
  Object.fromEntries(Object.entries(event).filter(([key]) => key !== field));

const isWell = ({ turn }: Observed) => turn.behavior.kind === 'answer' && turn.behavior.status < 300;
const again = (observed: readonly Observed[], which: (each: Observed) => boolean, afterMs: number) =>
  observed.flatMap((each) =>
    which(each) ? [each, { ...each, number: each.number + 10_000, at: each.at + afterMs }] : [each],
  );

/** Senders with one mistake each, as data: their names are the mistakes. */
export const FLAWED_SENDERS: Readonly<Record<string, Twist>> = {
  'signs with SHA-256': signature(({ body }) => sign(body, SECRET, 'sha256').digest('hex')),
  'writes the digest in base64': signature(({ body }) => sign(body).digest('base64')),
  'writes the digest in upper case': signature(({ body }) => sign(body).digest('hex').toUpperCase()),
  'writes sha1= before the digest': signature(({ body }) => `sha1=${sign(body).digest('hex')}`),
  'signs with another secret': signature(({ body }) => sign(body, 'another').digest('hex')),
  'signs with a line break behind the secret': signature(({ body }) => sign(body, `${SECRET}\n`).digest('hex')),
  'signs an empty body': signature(() => sign('').digest('hex')),
  'signs the body in Latin-1': signature((request) => sign(Buffer.from(textOf(request), 'latin1')).digest('hex')),
  'signs the body and a time': signature((request) => sign(`1700000000.${textOf(request)}`).digest('hex')),
  'does not sign': headers((all) => ({ ...all, 'X-Signature': undefined })),
  'names the signature otherwise': headers(({ 'X-Signature': digest, ...all }) => ({
    ...all,
    'X-Hub-Signature': digest,
  })),
  'signs before it writes the body again': unsigned((text) => JSON.stringify(JSON.parse(text), null, 2)),
  'sends a line break that it did not sign': unsigned((text) => `${text}\n`),
  'sends spaces as Python does': resigned((text) => text.replaceAll('":', '": ')),
  'sends indented JSON': resigned((text) => JSON.stringify(JSON.parse(text), null, 2)),
  'sends escaped letters': resigned((text) => text.replaceAll('ö', '\\u00f6').replaceAll('Å', '\\u00c5')),
  'sends JSON within JSON': resigned((text) => JSON.stringify(text)),
  'sends a batch': json((event) => [event]),
  'sends text/plain': headers((all) => ({ ...all, 'Content-Type': 'text/plain' })),
  'sends a charset in the content type': headers((all) => ({
    ...all,
    'Content-Type': 'application/json; charset=utf-8',
  })),
  'does not name itself': headers((all) => ({ ...all, 'User-Agent': undefined })),
  'does not tell its version': headers((all) => ({ ...all, 'User-Agent': 'Waybill' })),
  'sends PUT': { method: 'PUT' },
  'leaves the static header out': headers((all) => ({ ...all, 'X-Team': undefined })),
  'changes the static header': headers((all) => ({ ...all, 'X-Team': 'Billing' })),
  'writes the version as text': json((event) => (event['version'] === undefined ? event : { ...event, version: '1' })),
  'writes version 2': json((event) => (event['version'] === undefined ? event : { ...event, version: 2 })),
  'gives a delete a version': json((event) => ({ version: 1, ...event })),
  'leaves the context out': json((event) => without(event, 'context')),
  'leaves the messageId out': json((event) => without(event, 'messageId')),
  'renames the keys of an alias': json((event) => without(event, 'Previous ID')),
  'writes times with an offset': json((event) => ({ ...event, timestamp: '2026-01-01T01:00:00.000+01:00' })),
  'writes times in seconds': json((event) => ({ ...event, timestamp: 1_767_225_600 })),
  'writes nulls': json((event) => ({ ...event, userId: null })),
  'invents a kind': json((event) => ({ ...event, type: 'merge' })),
  'makes a new messageId for each attempt': json((event, attempt) => ({
    ...event,
    messageId: `${String(event['messageId'])}-${attempt}`,
  })),
  'writes the attempt into the body': json((event, attempt) => ({ ...event, attempt })),
  'takes a new time for each attempt': json((event, attempt) => ({
    ...event,
    timestamp: `2026-01-01T00:00:0${attempt % 10}.000Z`,
  })),
  'sends again what was taken': history((observed) => again(observed, isWell, 15_000)),
  'sends everything twice at once': history((observed) => again(observed, () => true, 1)),
  'tries again after a refusal': history((observed) =>
    again(observed, ({ turn }) => turn.behavior.kind === 'answer' && turn.behavior.status === 404, 12_000),
  ),
  'never tries again': history((observed) =>
    observed.filter(
      (each, index) => observed.findIndex(({ event }) => event?.['messageId'] === each.event?.['messageId']) === index,
    ),
  ),
  'forgets one retry': history((observed) => {
    const firsts = new Set<unknown>();
    const second = observed.findIndex(({ event }) => {
      const isSecond = firsts.has(event?.['messageId']);
      firsts.add(event?.['messageId']);
      return isSecond;
    });
    return observed.filter((_, index) => index !== second);
  }),
  'waits in lock-step': { random: () => 0.5 },
  'never waits the longer half': { random: () => 0 },
  'does not double its waits': { policy: { maxWaitMs: 10_000 } },
  'waits three times as long': { policy: { firstWaitMs: 30_000 } },
  'tries again at once': { policy: { firstWaitMs: 200 } },
  'gives up after an hour': { policy: { windowMs: 3_600_000 } },
  'goes on after four hours': { policy: { windowMs: 6 * 3_600_000 } },
  'ignores Retry-After': history((observed) =>
    observed.map((each, index) => {
      const before = observed
        .slice(0, index)
        .findLast(({ event }) => event?.['messageId'] === each.event?.['messageId']);
      const asked = before?.turn.behavior.kind === 'answer' ? before.turn.behavior.retryAfter : undefined;
      return asked === undefined || before === undefined ? each : { ...each, at: before.at + 7_500 };
    }),
  ),
};
