import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import type { Tenure } from '../../delivery/lease.ts';
import { Rounds, startOfRound } from '../../delivery/rounds.ts';
import { StallWatch } from '../../delivery/stall-watch.ts';
import type { Target } from '../../delivery/target.ts';
import { type Claim, deliveryId, type RoundRecord } from '../../model/delivery.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import type { PostRequest, PostResult } from '../../ports/transport.ts';
import type { Recorded } from '../../storage/delivery-storage.ts';
import { DESTINATION, type LogLine, messageOf, recordingLog, targetOf } from '../support/engine.ts';

const OK: PostResult = { kind: 'answered', status: 200, excerpt: '' };
const CANCELLED: PostResult = { kind: 'failed', failure: 'cancelled', detail: '' };
const NOTHING: Recorded = { refused: [], next: [] };

/** Rounds of one life; requests end, and storage answers, when the test says. */
function startRounds({ target = () => targetOf('https://a.test/') }: { readonly target?: () => Target } = {}) {
  const [clock, logged, posts, writes] = [
    new VirtualClock(),
    new Array<LogLine>(),
    new Array<PostRequest>(),
    new Array<string[]>(),
  ];
  const [answer, written] = [Promise.withResolvers<PostResult>(), Promise.withResolvers<Recorded>()];
  const records: RoundRecord[] = [];
  const tenure = { holds: true, isEndless: false };
  const transport = {
    post: (request: PostRequest, signal: AbortSignal) => {
      posts.push(request);
      signal.addEventListener('abort', () => answer.resolve(CANCELLED));
      return answer.promise;
    },
    close: () => Promise.resolve(),
  };
  const record = (rounds: readonly RoundRecord[]): Promise<Recorded> => {
    records.push(...rounds);
    writes.push(rounds.map(({ delivery, verdict }) => `${delivery} ${verdict.state}`));
    return written.promise;
  };
  const rounds = new Rounds(
    {
      policy: DEFAULT_POLICY,
      clock,
      random: () => 1,
      transport,
      stalls: new StallWatch(clock),
      targets: target,
      log: recordingLog(logged),
      store: { record },
    },
    tenure satisfies Tenure,
    () => undefined,
  );
  const run = async (number: number) => (await rounds.run(claimOf(number, clock))).result;
  return { rounds, run, tenure, posts, writes, records, logged, answer, written };
}

function claimOf(number: number, clock: VirtualClock): Claim {
  const fence = { delivery: deliveryId(String(number)), node: 'n1', epoch: 1, round: 1 };
  return {
    ...fence,
    destination: DESTINATION,
    message: messageOf(clock),
    tries: 0,
    closed: [],
  };
}

test('NODE-3: a delivery is known while it is tried, and until it is recorded', async () => {
  const { rounds, run, answer, written } = startRounds();
  const ended = run(1);
  expect(rounds.known).toEqual(['1']);
  answer.resolve(OK);
  expect(await ended).toBe('delivered');
  expect(rounds.known).toEqual(['1']);
  written.resolve(NOTHING);
  await rounds.recorded(new AbortController().signal);
  expect(rounds.known).toEqual([]);
});

test('NODE-3: what is under way when a life ends is cut off, and nothing is recorded of it', async () => {
  const { rounds, run, writes } = startRounds();
  const ended = run(1);
  await nextTurn();
  rounds.fence();
  expect(rounds.aborted.aborted).toBe(true);
  await ended;
  await nextTurn();
  expect(writes).toEqual([]);
  expect(rounds.known).toEqual([]);
});

test('NODE-3: what ended before its life did is still recorded', async () => {
  const { rounds, run, writes, answer, written } = startRounds();
  const ended = run(1);
  answer.resolve(OK);
  await ended;
  rounds.fence();
  written.resolve(NOTHING);
  await rounds.recorded(new AbortController().signal);
  expect(writes).toEqual([['1 delivered']]);
});

test('NODE-3: nothing leaves once the lease is over, also not what waited for a connection', async () => {
  const { run, tenure, posts, answer } = startRounds();
  const waiting = run(1);
  await nextTurn();
  expect(posts[0]?.mayLeave?.()).toBe(true);
  tenure.holds = false;
  expect(posts[0]?.mayLeave?.()).toBe(false);
  answer.resolve(CANCELLED);
  await Promise.all([waiting, run(2)]);
  expect(posts).toHaveLength(1);
});

test('HOOK-10: a round that an error of the router ends is recorded without attempts, tried again, and logged', async () => {
  const { run, writes, records, logged } = startRounds({
    target: () => {
      throw new Error('a bug');
    },
  });
  expect(await run(1)).toBe('unjudged');
  await nextTurn();
  expect(writes).toEqual([['1 pending']]);
  expect(records).toMatchObject([{ attempts: [] }]);
  expect(logged).toMatchObject([
    {
      level: 'error',
      message: 'round failed with an internal error; it is tried again',
      fields: { delivery: '1', destination: DESTINATION, reason: expect.stringMatching(/a bug\n +at /) },
    },
  ]);
});

test('NODE-3: what is not sent as the lease is over counts as never tried', async () => {
  const { run, tenure, posts, records } = startRounds();
  tenure.holds = false;
  expect(await run(1)).toBe('unjudged');
  await nextTurn();
  expect(posts).toEqual([]);
  const attempts = [{ outcome: 'cancelled', excerpt: '' }];
  expect(records).toMatchObject([{ delivery: '1', verdict: { state: 'pending', tries: 0 }, attempts }]);
});

test('D-26: a round that begins takes the bytes of its event from memory, where they are known', () => {
  const clock = new VirtualClock();
  const claim = claimOf(1, clock);
  const ports = { policy: DEFAULT_POLICY, clock };
  expect(startOfRound({ ...claim, bytes: 70 }, ports)).toEqual({ type: 'started', bytes: 70, isOver: false });
  expect(startOfRound(claim, ports)).toEqual({ type: 'started', bytes: 0, isOver: false });
});

test('D-32: a router is behind once 2,000 rounds that have ended are not written, until they are', async () => {
  const { rounds, run, answer, written } = startRounds();
  answer.resolve(OK);
  for (let number = 1; number < 2_000; number += 1) await run(number);
  expect(rounds.isBehind).toBe(false);
  await run(2_000);
  expect(rounds.isBehind).toBe(true);
  written.resolve(NOTHING);
  await rounds.recorded(new AbortController().signal);
  expect(rounds.isBehind).toBe(false);
});
