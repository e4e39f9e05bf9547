import { setTimeout as wait } from 'node:timers/promises';
import type { AudienceDefinition } from '../../client/config/computations.ts';
import { computeNow, defineAudiences, inThrees } from './audience-definitions.ts';
import { identifyAll } from './audience-sync.ts';
import { type Bench, repeat, sized, type Wish } from './bench.ts';
import { figuresOf, percentile } from './figures.ts';
import { inFolder } from './folder.ts';
import { destinationName } from './names.ts';
import { startRouter } from './processes/bench-router.ts';
import { type LoadProcess, startLoad } from './processes/load-process.ts';
import { type BenchReceiver, startReceiver } from './processes/receiver-process.ts';
import { type ReceiverProcess, startReceiverProcess } from './receiver-process.ts';

const [PEOPLE, REAL_PEOPLE] = [20_000, 1_000_000];
const AUDIENCES = 100;
/** Each is in one condition of its own: so many tiles has each profile, of all of which no two audiences look at the same. */
const [GROUPS, GROUPS_OF_ONE] = [3 * AUDIENCES, 12];
/** So many users say twice who they are, and are members of what asks for two. */
const PART_TWICE = 0.1;
const [PER_SECOND, BATCH] = [200, 10];
/** So many live events go out at a time, until what they go beside is over. */
const SLICE = 2 * PER_SECOND;
const MOST_EVENTS = 2_000_000;
const WARM_MS = 10_000;
const BETWEEN_LOOKS_MS = 100;

export const audienceRuns: Bench = {
  name: 'audience-runs',
  about: `${PER_SECOND} events a second beside runs of ${AUDIENCES} audiences with three conditions each, and beside an audience that everybody leaves`,
  runs: 1,
  isStandard: false,
  measure: async (wish) => {
    const runs = await repeat(wish, 'audience runs', () => measure(wish));
    return figuresOf(runs, [
      [`runs of ${AUDIENCES} audiences`, 's', ({ computing }) => computing.seconds, { atMost: 30 }],
      [
        'from sending to 200 meanwhile, p95',
        'ms',
        ({ computing }) => percentile(computing.answers, 0.95),
        { atMost: 50 },
      ],
      [
        'from 200 to the webhook meanwhile, p95',
        'ms',
        ({ computing }) => percentile(computing.webhooks, 0.95),
        { atMost: 50 },
      ],
      ['from sending to 200 before, p95', 'ms', ({ before }) => percentile(before.answers, 0.95)],
      ['from 200 to the webhook before, p95', 'ms', ({ before }) => percentile(before.webhooks, 0.95)],
      ['from sending to 200 before, at most', 'ms', ({ before }) => percentile(before.answers, 1)],
      ['everybody leaves an audience, and the webhook has heard it', 's', ({ leaving }) => leaving.seconds],
      ['from sending to 200 meanwhile, at most', 'ms', ({ leaving }) => percentile(leaving.answers, 1), { atMost: 50 }],
      ['from sending to 200 meanwhile, p95', 'ms', ({ leaving }) => percentile(leaving.answers, 0.95)],
    ]);
  },
};

/** Milliseconds of live events, and how long it took what they went beside. */
interface Beside {
  readonly seconds: number;
  readonly answers: readonly number[];
  readonly webhooks: readonly number[];
}

interface Run {
  readonly before: Beside;
  readonly computing: Beside;
  readonly leaving: Beside;
}

function measure(wish: Wish): Promise<Run> {
  return inFolder(async (folder) => {
    const people = sized(wish.isReal ? REAL_PEOPLE : PEOPLE, wish);
    using receiver = await startReceiver(MOST_EVENTS);
    using told = await startReceiverProcess();
    await using router = await startRouter(folder);
    const [live = '', identifies = ''] = await router.connect([`${receiver.url}/ok/0`, told.url]);
    using load = await startLoad(router.url);
    const stream = new LiveEvents(load, live, receiver);
    const names = await defineAudiences(router, inThrees(AUDIENCES, conditions(), 'any'));
    wish.tell(`audience runs: ${people} profiles with ${GROUPS_OF_ONE} tiles each`);
    const identified = people + Math.floor(PART_TWICE * people);
    await identifyAll(router, identifies, people, traitsOf);
    await identifyAll(router, identifies, identified - people, traitsOf);
    await countOf(told, identified);
    await computeNow(router, names.slice(0, 1));

    const before = await stream.beside(() => wait(WARM_MS));
    wish.tell('audience runs: all at once');
    const computing = await stream.beside(() => computeNow(router, names));

    wish.tell('audience runs: everybody comes');
    const [name = ''] = names;
    const destinations = [destinationName(1)];
    await router.config.audiences.update(name, { definition: ofPlan('pro'), destinations });
    await countOf(told, identified + people);
    await computeNow(router, [name]);
    wish.tell('audience runs: everybody leaves');
    const leaving = await stream.beside(async () => {
      await router.config.audiences.update(name, { definition: ofPlan('none') });
      await countOf(told, identified + 2 * people);
    });
    return { before, computing, leaving };
  });
}

function ofPlan(plan: string): AudienceDefinition {
  return { trait: 'plan', is: { eq: plan } };
}

function traitsOf(user: number): object {
  const groups = Array.from({ length: GROUPS_OF_ONE }, (_one, index) =>
    groupOf(user + (index * GROUPS) / GROUPS_OF_ONE),
  );
  return { plan: 'pro', groups };
}

function groupOf(number: number): string {
  return `group ${number % GROUPS}`;
}

function conditions(): AudienceDefinition[] {
  return Array.from({ length: GROUPS }, (_one, group) => ({
    events: { where: `type = "identify" and contains(traits.groups, "${groupOf(group)}")`, count: { gte: 2 } },
  }));
}

async function countOf(told: ReceiverProcess, count: number): Promise<void> {
  while ((await told.count()) < count) await wait(BETWEEN_LOOKS_MS);
}

/** Events at a steady pace, as long as something else goes on. */
class LiveEvents {
  readonly #load: LoadProcess;
  readonly #writeKey: string;
  readonly #receiver: BenchReceiver;
  #next = 0;

  constructor(load: LoadProcess, writeKey: string, receiver: BenchReceiver) {
    [this.#load, this.#writeKey, this.#receiver] = [load, writeKey, receiver];
  }

  async beside(work: () => Promise<unknown>): Promise<Beside> {
    const [first, startedAt, accepted, answers] = [this.#next, performance.now(), [] as number[], [] as number[]];
    const over = new AbortController();
    const working = work()
      .then(() => (performance.now() - startedAt) / 1_000)
      .finally(() => over.abort());
    do {
      const slice = { writeKeys: [this.#writeKey], batch: BATCH, first: this.#next, events: SLICE };
      const { sentAt, acceptedAt } = await this.#load.send({ ...slice, pace: { perSecond: PER_SECOND } });
      this.#next += SLICE;
      for (const [index, at] of acceptedAt.entries()) {
        accepted.push(at);
        answers.push(at - (sentAt[index] ?? NaN));
      }
    } while (!over.signal.aborted);
    const seconds = await working;
    await this.#receiver.waitFor(this.#next);
    const { deliveredAt } = await this.#receiver.report();
    const webhooks = accepted.map((at, index) => (deliveredAt[first + index] ?? NaN) - at);
    return { seconds, answers, webhooks };
  }
}
