import type { Outcome } from '../../../server/model/outcome.ts';
import type { PostResult } from '../../../server/ports/transport.ts';
import type { Promises } from './tried-senders.ts';
import { type Flaw, MODEL_SECRET, type Moment, type Outgoing } from './model-sender.ts';

const LIMITED = { maxPerSecond: 5 };
const ORDERED = { ordered: true };

type Flawed = readonly [caughtBy: string, flaw: Flaw, promises?: Promises];

/** Senders with one mistake each: the id of the scenario that is there for it, the mistake, and what they promise. */
export const FLAWED_MODEL_SENDERS: Readonly<Record<string, Flawed>> = {
  'never tries again': ['retry-500', over(() => true)],
  'tries again after a 500 alone': ['retry-503', over((_outcome, result) => statusOf(result) !== 500)],
  'takes a 429 as final': ['retry-429', over((outcome) => outcome === 'http_429')],
  'takes a reset as final': ['retry-reset', over((outcome) => outcome === 'reset')],
  'takes an answer that is no HTTP as final': ['retry-garbage', over((outcome) => outcome === 'protocol_error')],
  'takes no answer as final': ['timeout-retried', over((outcome) => outcome === 'first_byte_timeout')],
  'does not look at Retry-After': ['retry-after-seconds', { waitMs: (_asked, rightMs) => rightMs }],
  'reads Retry-After as seconds alone': [
    'retry-after-date',
    { waitMs: ({ ms, isDate }, rightMs) => (isDate ? rightMs : Math.max(ms, rightMs)) },
  ],
  'comes a second before Retry-After': [
    'retry-after-seconds',
    { waitMs: ({ ms }, rightMs) => (ms > 0 ? ms - 1_000 : rightMs) },
  ],
  'tries again at once': ['backoff', { waitMs: ({ ms }) => Math.max(ms, 20) }],
  'waits as long each time': ['backoff', { waitMs: ({ ms }) => Math.max(ms, 5_000) }],
  'waits for an answer for ever': ['timeout', { deadlineMs: 36_000_000 }],
  'reads an answer for as long as it lasts': ['slow-body', { manners: { readsAll: true }, deadlineMs: 36_000_000 }],
  'reads all of a huge answer': ['huge-answer', { manners: { readsAll: true } }],
  'follows redirects': ['redirect-302', { manners: { follows: true } }],
  'insists on a 200': ['success-204', over((_outcome, result) => statusOf(result) === 200 || undefined, 204)],
  'takes a 201 as a failure': ['success-201', over((_outcome, result) => statusOf(result) === 200 || undefined, 201)],
  'tries refused events again': ['refusal-400', over((outcome) => (outcome === 'http_4xx' ? false : undefined))],
  'sends everything twice': ['no-repeats', { copies: 2 }],
  'sends again what was answered 200': ['no-repeats', over((outcome) => outcome === 'blocked_address')],
  'makes a new id for each attempt': [
    'id-stable',
    { event: (event, { attempt }) => ({ ...event, id: `${event.id}-${attempt}` }) },
  ],
  'writes the attempt into the body': ['body-stable', { event: withField('attempt', ({ attempt }) => attempt) }],
  'writes the time into the body': ['body-stable', { event: withField('sentAt', ({ now }) => now) }],
  'gives all events one id': ['id-distinct', { event: (event) => ({ ...event, id: 'evt' }) }],
  'does not sign': ['signed', { request: without('webhook-signature') }],
  'signs with another secret': ['signed', { signed: () => ({ secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }) }],
  'signs the body before it is written': [
    'signed',
    { signed: (body) => ({ body: JSON.stringify(JSON.parse(body), null, 2) }) },
  ],
  'signs an old time': ['signed', { signed: (_body, { now }) => ({ at: now - 3_600_000 }) }],
  'signs first attempts alone': [
    'signed-retries',
    { request: (request, moment) => (moment.attempt === 1 ? request : without('webhook-signature')(request)) },
  ],
  'signs each attempt as of yesterday': [
    'signed-retries',
    { signed: (_body, { attempt, now }) => ({ at: attempt === 1 ? now : now - 86_400_000 }) },
  ],
  'sends the secret along': ['secret-kept', { request: withHeader('X-Secret', MODEL_SECRET) }],
  'sends PUT': ['method', { manners: { method: 'PUT' } }],
  'calls JSON what is none': [
    'content-type',
    { request: (request) => ({ ...request, body: `${request.body}\u0000{` }) },
  ],
  'does not name itself': ['user-agent', { request: without('User-Agent') }],
  'sends one event after the other': ['side-by-side', { queue: 'attempt' }],
  'waits for the retries of the event before': ['not-held-up', { queue: 'event' }],
  'forgets events while others are under way': ['all-arrive', { forgets: (underWay) => underWay > 2 }],
  'gives an endpoint up after some failures': ['last-event', { forgets: (_underWay, failures) => failures > 12 }],
  'tries again before an attempt has ended': ['one-at-a-time', { hedgeMs: 2_000 }],
  'trusts any certificate': [
    'tls-unknown-ca',
    { manners: { trusts: ['self-signed', 'expired', 'wrong-host', 'unknown-ca'] } },
  ],
  'trusts expired certificates': ['tls-expired', { manners: { trusts: ['expired'] } }],
  'does not look at the name': ['tls-wrong-host', { manners: { trusts: ['wrong-host'] } }],
  'knows no limit': ['rate', {}, LIMITED],
  'sends half as much again as its limit': ['rate', { pace: { perSecond: 7.5 } }, LIMITED],
  'saves what it did not send for later': ['rate', { pace: { perSecond: 5, saved: 5 } }, LIMITED],
  'does not count retries for its limit': [
    'rate',
    { pace: { perSecond: 5, skips: (attempt) => attempt > 1 } },
    LIMITED,
  ],
  'forgets its limit after failures': [
    'rate',
    { pace: { perSecond: 5, skips: (_attempt, failures) => failures > 8 } },
    LIMITED,
  ],
  'has an order in mind alone': ['order', {}, ORDERED],
  'lets later events overtake what it tries again': ['order', { queue: 'attempt' }, ORDERED],
  'does not wait for the answer before': ['order', { queue: 'start' }, ORDERED],
  'takes a broken handshake as final': ['tls-handshake-reset', over((outcome) => outcome === 'tls_other' || undefined)],
};

/** Ends an event when it is told to; `again` is a status that counts as a failure. */
function over(isOver: (outcome: Outcome, result: PostResult) => boolean | undefined, again?: number): Flaw {
  return {
    isOver: (outcome, result) => (again !== undefined && statusOf(result) === again ? false : isOver(outcome, result)),
  };
}

function statusOf(result: PostResult): number | undefined {
  return result.kind === 'answered' ? result.status : undefined;
}

function without(name: string) {
  return (request: Outgoing): Outgoing => ({
    ...request,
    headers: Object.fromEntries(Object.entries(request.headers).filter(([key]) => key !== name)),
  });
}

function withHeader(name: string, value: string) {
  return (request: Outgoing): Outgoing => ({ ...request, headers: { ...request.headers, [name]: value } });
}

function withField(name: string, value: (moment: Moment) => unknown) {
  return (event: Outgoing, moment: Moment): Outgoing => {
    const fields: object = JSON.parse(event.body);
    return { ...event, body: JSON.stringify({ ...fields, [name]: value(moment) }) };
  };
}
