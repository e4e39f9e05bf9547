import { expect, test } from 'vitest';
import { answers, type SimulatedPost } from '../../../testbed/simulation/simulated-transport.ts';
import { hourOf } from '../../audiences/hours.ts';
import { startAsked } from '../../resources/computed-syncs.ts';
import { type AudienceWorld, SOURCE } from '../support/audience-world.ts';
import { startedWorld } from '../support/started-audience-world.ts';

const MINUTE = 60_000;
const GOOD = `${SOURCE}/destinations/webhooks`;
/** As long as an attempt may take, nearly. */
const SLOW = { ...answers(200), afterMs: 4_500 };

const pro = (world: AudienceWorld, destinations?: string[]): Promise<string> =>
  world.audience('pro', { trait: 'plan', is: { eq: 'pro' } }, destinations);

const choose = (world: AudienceWorld, userId: string, plan: string): Promise<void> =>
  world.send({ type: 'identify', userId, traits: { plan } });

/** What another sync finds is found before the calls of the last have ended. */
async function syncNow(world: AudienceWorld, computation: string): Promise<void> {
  await world.store.startSync({ computation, now: world.clock.now() });
  await world.restartJobs();
}

/** Ada is told, and changes twice while that, and then the first change, is being sent. */
async function changeTwice(world: AudienceWorld, computation: string): Promise<void> {
  await choose(world, 'ada', 'pro');
  await world.advance(MINUTE);
  await choose(world, 'ada', 'free');
  await syncNow(world, computation);
  await world.advance(1_000);
  await choose(world, 'ada', 'pro');
  await syncNow(world, computation);
  await world.advance(MINUTE);
}

/** The last that each has heard, in the order of their names. */
function lastOf(world: AudienceWorld, url?: string): readonly unknown[] {
  const last = new Map(world.heard(url).map(({ user, value }) => [user, value]));
  return Array.from(last, ([user, value]) => `${user} ${String(value)}`).toSorted();
}

test('AUD-8: a sync tells all who were in flight, at however many destinations', async () => {
  const world = await startedWorld({ endpoint: () => SLOW });
  const urls = Array.from({ length: 14 }, (_, at) => `https://d${at}.test/`);
  const destinations: string[] = [];
  for (const [at, url] of urls.entries()) destinations.push(await world.addDestination(`d${at}`, url));
  const name = await pro(world, destinations);
  await changeTwice(world, name);
  for (const url of urls) expect(world.told(url)).toEqual(['ada pro true', 'ada pro false', 'ada pro true']);
  expect((await world.syncs(name))[0]).toMatchObject({ state: 'DONE', sent: 14, held: 0 });
});

test('AUD-8: a sync tells those whose calls its router has taken for a slow destination, once these have ended', async () => {
  const users = Array.from({ length: 300 }, (_, at) => `u${100 + at}`);
  let answer = answers(200);
  const world = await startedWorld({ endpoint: () => answer });
  const name = await pro(world);
  for (const user of users) await choose(world, user, 'pro');
  await world.advance(MINUTE);
  answer = SLOW;
  for (const plan of ['free', 'pro']) {
    for (const user of users) await choose(world, user, plan);
    await syncNow(world, name);
    await world.advance(1_000);
  }
  const [last] = await world.syncs(name);
  expect(last?.held).toBeGreaterThan(100);
  await world.advance(10 * MINUTE);
  expect(lastOf(world)).toEqual(users.map((user) => `${user} true`));
  expect((await world.syncs(name))[0]).toMatchObject({ state: 'DONE', held: 0 });
});

test('AUD-8: a sync that is asked for while only users are held back begins, and sees what has come since', async () => {
  let answer = answers(200);
  const world = await startedWorld({ endpoint: () => answer });
  const name = await pro(world);
  await choose(world, 'ada', 'pro');
  await world.advance(MINUTE);
  answer = SLOW;
  for (const plan of ['free', 'pro']) {
    await choose(world, 'ada', plan);
    await syncNow(world, name);
    await world.advance(1_000);
  }
  await choose(world, 'zoe', 'pro');
  const [running] = await world.syncs(name);
  expect(running).toMatchObject({ state: 'RUNNING', held: 1 });
  await startAsked(world.store, name, world.clock.now());
  await world.restartJobs();
  await world.advance(MINUTE);
  expect(lastOf(world)).toEqual(['ada true', 'zoe true']);
  expect((await world.syncs(name)).map(({ state }) => state).slice(0, 2)).toEqual(['DONE', 'DONE']);
  // Twin: one that is not computed yet sees all that has come.
  const twice = [await startAsked(world.store, name, 0), await startAsked(world.store, name, 0)];
  expect(new Set(twice.map(({ number }) => number)).size).toBe(1);
});

const isAbout = ({ request }: SimulatedPost, user: string): boolean =>
  Buffer.from(request.body).includes(`"userId":"${user}"`);

test('AUD-8: who was held back is told, though the same sync told many before them', async () => {
  let isSlow = false;
  const world = await startedWorld({ endpoint: (post) => (isSlow && isAbout(post, 'u9') ? SLOW : answers(200)) });
  const name = await pro(world);
  const early = Array.from({ length: 150 }, (_, at) => `u${100 + at}a`);
  for (const user of [...early, 'u9']) await choose(world, user, 'pro');
  await world.advance(MINUTE);
  isSlow = true;
  for (const user of [...early, 'u9']) await choose(world, user, 'free');
  await syncNow(world, name);
  await world.advance(1_000);
  const later = Array.from({ length: 149 }, (_, at) => `u${100 + at}b`);
  for (const user of [...later, 'u9']) await choose(world, user, 'pro');
  await syncNow(world, name);
  await world.advance(MINUTE);
  const last = [...early.map((user) => `${user} false`), ...later.map((user) => `${user} true`), 'u9 true'];
  expect(lastOf(world)).toEqual(last.toSorted());
});

test('AUD-8: who was held back is told, though the storage failed when they were looked for', async () => {
  let failures = 0;
  const world = await startedWorld({
    endpoint: () => SLOW,
    spoil: ({ tellings, ...stores }) => {
      const told: typeof tellings.told = async (query) => {
        const [sync] = await tellings.listSyncs({ computations: [query.computation], limit: 1 });
        if (sync?.held !== 1 || failures === 3) return tellings.told(query);
        failures += 1;
        throw new Error('the disk is full');
      };
      return { ...stores, tellings: Object.assign(Object.create(tellings), { told }) };
    },
  });
  const name = await pro(world, [GOOD]);
  await changeTwice(world, name);
  expect(failures).toBe(3);
  expect(world.told()).toEqual(['ada pro true', 'ada pro false', 'ada pro true']);
});

/** Ends the sync that runs, and begins and computes the next, as a router does that has taken the job over. */
async function beginAnother({ store, profiles, clock, directory }: AudienceWorld, name: string): Promise<void> {
  const { space, get } = directory.computations('workspaces/main');
  const [computation, id = ''] = [get(name), space?.id];
  if (space !== undefined) await profiles.fold({ spaces: () => Promise.resolve([space]), limit: 5_000 });
  const [last] = await store.listSyncs({ computations: [name], limit: 1 });
  const which = { computation: name, number: last?.number ?? 0 };
  await store.endSync({ ...which, state: 'CANCELLED', now: clock.now() });
  const { number, startedAt } = await store.startSync({ computation: name, now: clock.now() });
  if (computation === undefined) throw new Error(`${name} is not known`);
  const of = computation.at(hourOf(startedAt));
  const counts = await profiles.compute({ space: id, computation: name, run: number, of });
  const { basis, cursor } = last ?? {};
  await store.computedSync({ ...which, number, counts, basis, destinations: cursor?.destinations ?? [] });
}

interface Of {
  readonly destination: string;
}

const always = (_destination: string): boolean => true;

test('AUD-8: a router that stood still while another began the next sync goes on with that from its beginning', async () => {
  let hasRoom = always;
  let pages = 0;
  const world = await startedWorld({
    spoil: ({ tellings, ...stores }) => {
      const tell: typeof tellings.tell = (request) => {
        pages += 1;
        return tellings.tell(request);
      };
      const own = { tell, waiting: async ({ destination }: Of) => (hasRoom(destination) ? 0 : 1_000) };
      return { ...stores, tellings: Object.assign(Object.create(tellings), own) };
    },
  });
  const two = await world.addDestination('two', 'https://two.test/');
  hasRoom = (destination) => destination === two && pages === 0;
  for (let at = 0; at < 250; at += 1) await choose(world, `u${100 + at}`, 'pro');
  const name = await pro(world, [GOOD, two]);
  for (let at = 0; at < 250; at += 1) await choose(world, `u${100 + at}`, 'pro');
  await world.advance(MINUTE);
  expect([world.told().length, world.told('https://two.test/').length]).toEqual([0, 200]);
  await choose(world, 'ada', 'pro');
  await beginAnother(world, name);
  hasRoom = always;
  await world.advance(MINUTE);
  expect([world.told().length, world.told('https://two.test/').length]).toEqual([251, 251]);
});
