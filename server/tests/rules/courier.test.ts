import { expect, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { answers, type Endpoint, SimulatedTransport } from '../../../testbed/simulation/simulated-transport.ts';
import { carry, type CourierPorts } from '../../delivery/courier.ts';
import type { RecordedRound } from '../../delivery/recorder.ts';
import { webhooksOf } from '../../destinations/webhooks-settings.ts';
import { originOf, secretMask } from '../../delivery/secret-mask.ts';
import { signatureHeaders } from '../../delivery/signatures.ts';
import type { Target } from '../../delivery/target.ts';
import { type Claim, deliveryId } from '../../model/delivery.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import type { PostRequest } from '../../ports/transport.ts';
import { DESTINATION, type LogLine, messageOf, recordingLog, targetOf } from '../support/engine.ts';

const [A, B] = ['https://a.test/hook', 'https://b.test/hook'];

interface Given {
  readonly endpoint?: Endpoint;
  readonly target?: Target;
  readonly claim?: Partial<Claim>;
  readonly ports?: Partial<CourierPorts>;
}

/** One round, and what was reported of it until now. */
function begin({ endpoint = () => answers(200), target = targetOf(A, B), claim, ports }: Given) {
  const clock = new VirtualClock();
  const [reports, logged]: [RecordedRound[], LogLine[]] = [[], []];
  const transport = new SimulatedTransport(clock, endpoint);
  const fence = { delivery: deliveryId('1'), node: 'n1', epoch: 2, round: 3 };
  const whole = { ...fence, destination: DESTINATION, message: messageOf(clock), tries: 2, closed: [], ...claim };
  const all: CourierPorts = {
    policy: DEFAULT_POLICY,
    clock,
    random: () => 1,
    transport,
    mayLeave: () => true,
    stalls: { begin: () => () => 0 },
    targets: () => target,
    log: recordingLog(logged),
    shown: originOf,
    maskOf: secretMask,
    ...ports,
  };
  const end = carry(all, whole, (record) => reports.push(record), new AbortController().signal);
  const result = end.then((ended) => ended.result);
  return { clock, transport, reports, logged, end, result };
}

const slowB: Endpoint = ({ request }) => ({ afterMs: request.url === B ? 1_000 : 10, ...answers(200) });
const attemptedIn = (record: RecordedRound | undefined) =>
  record?.attempts.map(({ webhook, number }) => [webhook, number]);

test('D-20: a success is reported at once, what ends later after it, with the same verdict', async () => {
  const { clock, reports, result } = begin({ endpoint: slowB });
  await clock.advance(10);
  expect(reports.map(({ verdict }) => verdict)).toEqual([{ state: 'delivered' }]);
  expect(attemptedIn(reports[0])).toEqual([[A, 0]]);
  await clock.advance(990);
  expect(await result).toBe('delivered');
  expect(reports.map(({ verdict }) => verdict)).toEqual([{ state: 'delivered' }, { state: 'delivered' }]);
  expect(attemptedIn(reports[1])).toEqual([[B, 1]]);
});

test('D-20: what failed before the first success is reported with it', async () => {
  const endpoint: Endpoint = ({ request }) => (request.url === B ? { afterMs: 50, ...answers(200) } : answers(503));
  const { clock, reports, result } = begin({ endpoint });
  await clock.advance(50);
  expect(await result).toBe('delivered');
  expect(reports.map(attemptedIn)).toEqual([
    [
      [A, 0],
      [B, 1],
    ],
  ]);
});

test('HOOK-25: a round of a line is reported once all its webhooks have answered', async () => {
  const { clock, reports, result } = begin({ endpoint: slowB, claim: { line: 5 } });
  await clock.advance(999);
  expect(reports).toEqual([]);
  await clock.advance(1);
  expect(await result).toBe('delivered');
  expect(reports.map(({ line, verdict, attempts }) => [line, verdict.state, attempts.length])).toEqual([
    [5, 'delivered', 2],
  ]);
});

test('D-22: a webhook that has refused for good is not tried again; where all have, the round says so once', async () => {
  const open = begin({ claim: { closed: [A] } });
  await open.clock.advance(0);
  await open.result;
  expect(open.transport.posts.map(({ request }) => request.url)).toEqual([B]);
  const none = begin({ claim: { closed: [A, B] } });
  await none.result;
  expect([none.transport.posts, none.reports.map(({ attempts }) => attempts)]).toEqual([[], [[]]]);
});

const keysOf = (posts: readonly { readonly request: PostRequest }[]) =>
  posts.map(({ request }) => request.headers['Key']);

test('HOOK-9: of webhooks with one URL and other headers, the one that failed for a time is tried again', async () => {
  const value = ['old', 'new'].map((Key) => ({ hook: A, headers: { Key } }));
  const { shape: _none, ...target } = webhooksOf({
    config: [{ name: 'hooks', display_name: '', type: 'mixed', value }],
  });
  for (const refused of ['old', 'new']) {
    const first = begin({
      target,
      endpoint: ({ request }) => answers(request.headers['Key'] === refused ? 401 : 503),
    });
    await first.clock.advance(0);
    await first.result;
    expect(keysOf(first.transport.posts)).toEqual(['old', 'new']);
    const [verdict] = first.reports.map((record) => record.verdict);
    const closed = verdict?.state === 'pending' ? verdict.closed : [];
    const next = begin({ target, claim: { closed } });
    await next.clock.advance(0);
    expect(await next.result).toBe('delivered');
    expect(keysOf(next.transport.posts)).toEqual(refused === 'old' ? ['new'] : ['old']);
  }
});

test('D-31: a record tells whose round it was, what came of it, when, and how old the event was', async () => {
  const clock = new VirtualClock();
  const receivedAt = clock.steady() - 500;
  const {
    clock: own,
    reports,
    result,
  } = begin({
    target: targetOf(A),
    endpoint: () => ({ afterMs: 40, result: { kind: 'answered', status: 201, excerpt: 'ok', phases: { waitMs: 7 } } }),
    claim: { message: { ...messageOf(clock), receivedAt } },
  });
  const startedAt = own.now();
  await own.advance(40);
  await result;
  const fence = { delivery: '1', node: 'n1', epoch: 2, round: 3, destination: DESTINATION };
  const attempt = { webhook: A, number: 0, startedAt, durationMs: 40, phases: { waitMs: 7 }, status: 201 };
  expect(reports).toStrictEqual([
    {
      ...fence,
      attempts: [{ ...attempt, outcome: 'delivered', excerpt: 'ok', rule: expect.any(String) }],
      verdict: { state: 'delivered' },
      endedAt: startedAt + 40,
      ageMs: 540,
      receivedAt,
    },
  ]);
});

test('D-31: an attempt without an answer has no status and no phases, but the words of the network', async () => {
  const { clock, reports, result } = begin({
    target: targetOf(A),
    endpoint: () => ({ result: { kind: 'failed', failure: 'reset', detail: 'gone' } }),
  });
  await clock.advance(0);
  expect(await result).toBe('failed');
  const [attempt] = reports[0]?.attempts ?? [];
  expect(attempt).toMatchObject({ outcome: 'reset', excerpt: 'gone' });
  expect(Object.keys(attempt ?? {})).not.toContain('status');
  expect(Object.keys(attempt ?? {})).not.toContain('phases');
});

test.each(['tls_other', 'protocol_error', 'reset', 'connect_refused'] as const)(
  "SAFE-3: the words of a failure with %s are masked where they may be a receiver's",
  async (failure) => {
    const { clock, reports } = begin({
      target: { ...targetOf(A), sharedSecret: 'hunter2' },
      endpoint: () => ({ result: { kind: 'failed', failure, detail: 'who said hunter2?' } }),
    });
    await clock.advance(0);
    const isOurs = failure === 'connect_refused';
    expect(reports[0]?.attempts[0]?.excerpt).toBe(isOurs ? 'who said hunter2?' : 'who said [masked]?');
  },
);

/** After how long the next round is due; its destination is told what was asked for. */
const dueIn = async (retryAfter?: string): Promise<number> => {
  const { clock, reports, end } = begin({ target: targetOf(A), endpoint: () => answers(503, retryAfter) });
  await clock.advance(0);
  expect(await end).toEqual({ result: 'failed', retryAfterMs: Number(retryAfter ?? 0) * 1_000 });
  const verdict = reports[0]?.verdict;
  return verdict?.state === 'pending' ? verdict.dueAt - clock.steady() : 0;
};

test('D-23: a Retry-After of any webhook puts off the next round', async () => {
  expect(await dueIn('600')).toBe(600_000);
  expect(await dueIn()).toBeLessThan(600_000);
});

const refusingB: Endpoint = ({ request }) => (request.url === A ? { afterMs: 5, ...answers(200) } : answers(410));

test('D-31: each attempt has a line in the log; those that failed warn', async () => {
  const { clock, logged, result } = begin({ endpoint: refusingB });
  await clock.advance(5);
  await result;
  const fields = { messageId: 'm1', destination: DESTINATION, round: 3 };
  expect(logged).toEqual([
    {
      level: 'warn',
      message: 'attempt failed',
      fields: { ...fields, webhook: 'https://b.test', outcome: expect.any(String), ms: 0 },
    },
    {
      level: 'info',
      message: 'attempt delivered',
      fields: { ...fields, webhook: 'https://a.test', outcome: 'delivered', ms: 5 },
    },
  ]);
});

const sentBy = ({ transport }: ReturnType<typeof begin>) => transport.posts.map(({ request }) => request);
const eventsIn = (requests: readonly PostRequest[]) =>
  requests.map(({ body }): unknown => {
    const sent: { readonly event: unknown } = JSON.parse(Buffer.from(body).toString('utf8'));
    return sent.event;
  });

test('D-13: what goes out is what the filters and then the shape make of the event, the same to all webhooks', async () => {
  const target: Target = {
    ...targetOf(A, B),
    reshape: (event) => Promise.resolve({ ...event, event: `${event.event} filtered` }),
    shape: (body) => Promise.resolve({ ...body, event: `${String(body['event'])} and shaped` }),
  };
  const round = begin({ target });
  await round.clock.advance(0);
  expect(eventsIn(sentBy(round))).toEqual(Array.from({ length: 2 }, () => 'Order Completed filtered and shaped'));
  const plain = begin({ target: targetOf(A) });
  await plain.clock.advance(0);
  expect(eventsIn(sentBy(plain))).toEqual(['Order Completed']);
});

test('HOOK-22: a request is signed with the id of its event, the time of its attempt and its body', async () => {
  const signing = { sharedSecret: 'secret', signature: 'both' } as const;
  const round = begin({ target: { ...targetOf(A), ...signing } });
  await round.clock.advance(0);
  const [request] = sentBy(round);
  const unsigned = { messageId: 'm1', at: round.clock.now(), body: request?.body ?? new Uint8Array() };
  expect(request?.headers).toMatchObject(signatureHeaders(signing, unsigned));
});

test('a traced attempt tells the collector how it ended, and the receiver of which trace it is', async () => {
  const ended: unknown[] = [];
  const attempt = (claim: Claim, webhook: string) => {
    const name = `${claim.delivery} to ${webhook}`;
    return { traceparent: name, end: (...how: readonly unknown[]) => ended.push([name, ...how]) };
  };
  const round = begin({
    target: { ...targetOf(A, B), traceContext: true },
    endpoint: ({ request }) =>
      request.url === A ? answers(503) : { result: { kind: 'failed', failure: 'reset', detail: '' } },
    ports: { tracing: { arrival: () => undefined, attempt } },
  });
  await round.clock.advance(0);
  await round.result;
  expect(sentBy(round).map(({ headers }) => headers['traceparent'])).toEqual([`1 to ${A}`, `1 to ${B}`]);
  expect(ended).toEqual([
    [`1 to ${A}`, 'http_5xx', 503],
    [`1 to ${B}`, 'reset', undefined],
  ]);
});

test('HOOK-8: a timeout of which the router itself stood still for long says so', async () => {
  const { clock, reports, result } = begin({
    target: targetOf(A),
    endpoint: () => ({ afterMs: 60_000, ...answers(200) }),
    ports: { stalls: { begin: () => () => 4_500 } },
  });
  await clock.advance(5_000);
  await result;
  const excerpt = 'no answer within 5 s; the router itself stood still for 4.5 s of it';
  expect(reports[0]?.attempts).toMatchObject([{ outcome: 'router_stalled', excerpt }]);
});

test('a round of a destination that is gone, or of an event whose window is over, sends nothing and says so', async () => {
  const gone = begin({ ports: { targets: () => undefined } });
  expect(await gone.result).toBe('unsent');
  expect(gone.reports).toMatchObject([{ attempts: [], verdict: { state: 'cancelled' } }]);
  const message = messageOf({ now: () => new VirtualClock().now() - DEFAULT_POLICY.windowMs });
  const over = begin({ claim: { message } });
  expect(await over.result).toBe('unjudged');
  expect(over.reports).toMatchObject([{ attempts: [], verdict: { state: 'expired' } }]);
  expect([...gone.transport.posts, ...over.transport.posts]).toEqual([]);
});

test('SAFE-2: a request says whose it is', async () => {
  const { clock, transport, result } = begin({});
  await clock.advance(1_000);
  expect(await result).toBe('delivered');
  expect(transport.posts.map(({ request }) => request.workspace)).toEqual(['workspaces/main', 'workspaces/main']);
});
