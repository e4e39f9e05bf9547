import { expect, test } from 'vitest';
import { NotAMember } from '../../storage/errors.ts';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { DESTINATION } from '../support/engine.ts';
import { MembershipWorld, type MembershipOptions } from '../support/membership.ts';

const CUT = new Error('cut off');
const hanging = () => ({ afterMs: 60_000, ...answers(200) });
const failing = () => answers(503);
/** A storage that no other router uses. */
const endless: MembershipOptions['spoil'] = (own) => ({
  beat: async () => {
    const roster = await own.beat();
    return roster && { ...roster, leaseMs: Infinity };
  },
});

async function started(options?: MembershipOptions): Promise<MembershipWorld> {
  const world = new MembershipWorld(options);
  await world.membership.start();
  return world;
}

function figuresOf({ membership }: MembershipWorld): unknown[] {
  return [membership.node, membership.inFlight, membership.held, membership.parked, membership.ownParked];
}

const NOTHING = [undefined, 0, 0, 0, []];

test('a router that has not joined takes nothing, tries nothing, and says why', async () => {
  const world = new MembershipWorld();
  expect(figuresOf(world)).toEqual(NOTHING);
  expect(() => world.membership.admit()).toThrow(NotAMember);
  expect(world.membership.fault).toContain('joins again by itself');
  world.membership.wake(DESTINATION);
  expect(await world.membership.openCircuits(DESTINATION, [DESTINATION])).toEqual({ circuits: [], count: 0 });
});

test('a member has a name, and tells what is in flight, and what is parked', async () => {
  const world = await started({ endpoint: hanging });
  await world.send('m1');
  expect(figuresOf(world)).toEqual(['one', 1, 0, 0, []]);
  const parked = await started({ endpoint: failing, policy: { parkAfter: 1 } });
  await parked.send('m1');
  await parked.clock.advance(10);
  expect(figuresOf(parked)).toEqual(['one', 0, 0, 1, [DESTINATION]]);
});

test('a router joins with what people know it by', async () => {
  const router = { name: 'host:1', version: '1.2.3' };
  const world = await started({ router });
  expect(world.joins).toEqual([{ now: world.clock.steady(), router }]);
  const nameless = await started();
  expect(nameless.joins).toStrictEqual([{ now: nameless.clock.steady() }]);
});

test('NODE-3: once its lease is over, a router has no name, and nothing in flight or parked', async () => {
  const world = await started({ endpoint: failing, policy: { parkAfter: 1 } });
  await world.send('m1');
  await world.clock.advance(10);
  world.fault = CUT;
  await world.clock.advance(15_000);
  expect(figuresOf(world)).toEqual(NOTHING);
});

test('NODE-3: what is in flight when the lease ends is given up at that moment', async () => {
  const world = await started({ endpoint: hanging });
  const began = world.clock.steady();
  world.fault = CUT;
  await world.clock.advance(4_000);
  world.fault = undefined;
  await world.send('m1');
  world.fault = CUT;
  await world.clock.advance(10_000);
  expect(world.transport.posts.map((post) => (post.endedAt ?? 0) - began)).toEqual([7_000]);
});

test('D-61: a router whose life others have ended notices with its next beat, and joins again at once', async () => {
  let isReaped = false;
  const world = await started({
    spoil: (own) => ({ beat: async () => (isReaped ? ((isReaped = false), undefined) : own.beat()) }),
  });
  isReaped = true;
  await world.clock.advance(2_000);
  expect(world.joins.length).toBe(2);
  expect([world.membership.node, world.membership.fault]).toEqual(['one', undefined]);
  expect(world.messages).toEqual([
    expect.stringContaining('did not answer'),
    expect.stringContaining('lease of this router is over'),
    expect.stringContaining('has joined its storage again'),
  ]);
});

test('the log tells once why a router cannot join again, and that it has', async () => {
  const world = await started();
  world.fault = CUT;
  await world.clock.advance(30_000);
  world.fault = undefined;
  await world.clock.advance(2_000);
  const lines = world.logged.filter(({ message }) => message.includes('join'));
  expect(lines.map(({ level, fields }) => [level, fields['reason']])).toEqual([
    ['error', undefined],
    ['warn', 'Error: cut off'],
    ['info', undefined],
  ]);
});

test('the log tells of each beat that storage did not answer', async () => {
  const world = await started({ spoil: () => ({ exchange: () => new Promise(() => undefined) }) });
  world.fault = CUT;
  await world.clock.advance(2_000);
  const beats = world.logged.filter(({ message }) => message === 'the storage did not answer a member');
  expect(beats.map(({ level, fields }) => [level, fields['reason']])).toContainEqual(['warn', 'Error: cut off']);
});

/** How often within two minutes a router looks for strays, where each look takes so long. */
async function looks(takesMs: number): Promise<number | undefined> {
  const world: MembershipWorld = await started({
    spoil: (own) => ({ held: (page) => world.clock.sleep(takesMs).then(() => own.held(page)) }),
  });
  await world.clock.advance(120_000);
  return world.asked.held;
}

test('the longer a look for strays takes, the less often a router looks', async () => {
  expect([await looks(0), await looks(400), await looks(2_000)]).toEqual([12, 11, 3]);
});

test('a router whose storage is its own alone exchanges nothing, and looks for no strays', async () => {
  const world = await started({ spoil: endless });
  await world.clock.advance(200_000);
  expect([world.asked.beat, world.asked.exchange, world.asked.held]).toEqual([1, undefined, undefined]);
});

test('D-25: a router that is alone tells circuits as it knows them, with times of the wall', async () => {
  const world = await started({ endpoint: failing, policy: { parkAfter: 1 }, spoil: endless });
  await world.send('m1');
  await world.clock.advance(0);
  world.clock.stepWall(60_000);
  const probeAt = world.clock.now() + 10_000;
  expect(await world.membership.openCircuits(DESTINATION, ['another', DESTINATION])).toEqual({
    circuits: [{ destination: DESTINATION, state: 'open', probes: 1, probeAt }],
    count: 1,
  });
  expect(world.asked.members).toBeUndefined();
});

test('D-25: routers that share a storage tell the circuits that owners have told there', async () => {
  const circuit = { destination: 'd', state: 'half-open', probes: 1 } as const;
  const member = { node: 'two', epoch: 1, name: 'two', version: '', startedAt: 0, lastBeatAt: 0, held: 0 };
  const members = () => Promise.resolve([member, { ...member, openCircuits: [circuit] }]);
  const world = await started({ spoil: () => ({ members }) });
  expect(await world.membership.openCircuits('d', ['d'])).toEqual({ circuits: [circuit], count: 1 });
  expect(await world.membership.openCircuits('e', ['e'])).toEqual({ circuits: [], count: 0 });
});

test('a router that is woken for a destination asks storage for what waits there', async () => {
  const world = await started();
  world.membership.wake(DESTINATION);
  await world.clock.advance(0);
  expect(world.asked.claim).toBe(1);
});

test('a router that cannot begin does not go on as a member', async () => {
  const world = new MembershipWorld({ spoil: () => ({ beat: () => Promise.reject(new Error('down')) }) });
  await expect(world.membership.start()).rejects.toThrow('down');
  await world.clock.advance(60_000);
  expect([world.asked.beat, world.membership.node]).toEqual([1, undefined]);
});

test('a router sends what it accepts while what waits is read, and reads it until its storage answers', async () => {
  let isDown = true;
  const world = await started({
    spoil: (own) => ({
      backlog: async (page) => {
        await world.clock.sleep(3_000);
        if (isDown) throw new Error('down');
        return own.backlog(page);
      },
    }),
  });
  await world.send('m1');
  await world.clock.advance(0);
  expect(world.transport.posts.length).toBe(1);
  await world.clock.advance(3_500);
  isDown = false;
  await world.clock.advance(10_000);
  expect(world.messages.toSorted()).toEqual(['attempt delivered', expect.stringContaining('could not be read')]);
  expect(world.asked.backlog).toBe(2);
});

test('NODE-3: a router whose lease ends while it begins is no member once it has begun, and joins again', async () => {
  const answered = Promise.withResolvers<void>();
  let isLate = true;
  const world = new MembershipWorld({
    spoil: (own) => ({
      beat: async () => {
        const roster = await own.beat();
        if (isLate) await answered.promise;
        return roster;
      },
    }),
  });
  const begun = world.membership.start();
  await world.clock.advance(20_000);
  isLate = false;
  answered.resolve();
  await begun;
  expect(world.membership.node).toBeUndefined();
  await world.clock.advance(2_000);
  expect([world.membership.node, world.joins.length]).toEqual(['one', 2]);
});

test('D-61: a router joins again once what its life has sent is recorded, or two seconds later at most', async () => {
  for (const [recordMs, joinedAt] of [
    [2_500, 3_500],
    [20_000, 4_000],
  ] as const) {
    let isReaped = false;
    const world: MembershipWorld = await started({
      spoil: (own) => ({
        beat: async () => (isReaped ? ((isReaped = false), undefined) : own.beat()),
        record: (rounds) => world.clock.sleep(recordMs).then(() => own.record(rounds)),
      }),
    });
    await world.clock.advance(1_000);
    await world.send('m1');
    isReaped = true;
    await world.clock.advance(joinedAt - 1_000 - 1);
    expect(world.joins.length).toBe(1);
    await world.clock.advance(1);
    expect(world.joins.length).toBe(2);
  }
});
