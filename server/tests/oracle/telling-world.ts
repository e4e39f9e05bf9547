import { seededRandom } from '../../../testbed/simulation/seeded-random.ts';
import type { Definition } from '../../model/definition.ts';
import type { Event } from '../../model/message.ts';
import type { Random } from '../../ports/random.ts';
import { type AudienceWorld, HOUR, SOURCE, startAudienceWorld, type Stores } from '../support/audience-world.ts';
import { isMember, type Known } from './evaluate.ts';
import { FailingReceivers } from './failing-receivers.ts';
import { heardOutOfOrder } from './heard-order.ts';
import { interrupted } from './interrupted.ts';
import { fqlHolds } from './fql.ts';
import { type Logged, peopleOf } from './people.ts';
import { pick } from './random-definitions.ts';

const USERS = ['ada', 'bob', 'cyd', 'dan'];
const COUNTED = ["event = 'Bought'", "event = 'Left'"];
/** Jobs look each ten seconds, and each audience waits for the one before it. */
const SOON = 60_000;
/** More than a wait for the next run, and than that of a delivery that is tried again. */
const SETTLED = 12 * HOUR;

interface Standing {
  readonly name: string;
  readonly key: string;
  definition: Definition;
  /** Slots of its destinations. */
  on: readonly number[];
  /** When it became another, since it was made. */
  readonly changes: number[];
}

/** A destination that is there, under a name that others had before it: each has an address of its own. */
interface Slot {
  readonly name: string;
  url: string;
}

/** Between the jobs and the storages, so that something happens while they work. */
type Between = (stores: Stores) => Stores;

/**
 * Lives one random world through, in which all changes while it is told, and in each second one receivers fail; answers where
 * destinations heard what is wrong.
 */
export async function tellingDifferencesIn(seed: number, spoil: Between = (own) => own): Promise<readonly string[]> {
  let between = nothing;
  const random = seededRandom(Math.ceil(seed / 2));
  const receivers = new FailingReceivers(random);
  if (seed % 2 === 0) receivers.calmDown();
  const world = await startAudienceWorld({
    endpoint: receivers.answer,
    spoil: (own) => spoil(interrupted(own, () => between())),
  });
  try {
    const course = new TellingCourse(world, receivers, random);
    between = () => course.between();
    return await course.differences();
  } finally {
    between = nothing;
    await world.stop();
  }
}

async function nothing(): Promise<void> {}

class TellingCourse {
  readonly #world: AudienceWorld;
  readonly #receivers: FailingReceivers;
  readonly #random: Random;
  readonly #log: Logged[] = [];
  readonly #standing: Standing[] = [];
  readonly #slots: Slot[] = [{ name: `${SOURCE}/destinations/webhooks`, url: 'https://one.test/' }];
  /** All addresses that destinations have had. */
  readonly #urls = new Set(['https://one.test/']);
  /** By key and address: when it was taken off, and not put back. */
  readonly #off = new Map<string, number>();
  readonly #story: string[] = [];
  #made = 0;
  #sent = 0;
  #isBusy = true;

  constructor(world: AudienceWorld, receivers: FailingReceivers, random: Random) {
    [this.#world, this.#receivers, this.#random] = [world, receivers, random];
  }

  async differences(): Promise<readonly string[]> {
    await this.#addDestination();
    // Counts all that worlds count, from the beginning.
    await this.#world.audience('keeper', { any: COUNTED.map((where) => ({ events: { where } })) }, []);
    for (let one = 0; one < 2; one += 1) await this.#define();
    this.#isBusy = false;
    for (let step = 0; step < 25; step += 1) {
      await this.#happens();
      await this.#world.advance(Math.floor(this.#random() ** 4 * 3 * HOUR));
      if (this.#random() < 0.05) await this.#restart();
    }
    this.#isBusy = true;
    this.#receivers.calmDown();
    await this.#world.advance(SETTLED);
    const found = [...this.#heardWrongly(), ...heardOutOfOrder(this.#world, this.#urls), ...(await this.#late())];
    return found.length === 0 ? [] : [...this.#story, ...found];
  }

  async #restart(): Promise<void> {
    this.#isBusy = true;
    // What happens between two steps has happened.
    await this.#world.advance(100);
    await this.#world.restartJobs();
    this.#isBusy = false;
  }

  /** While a job is at work. */
  async between(): Promise<void> {
    if (this.#isBusy || this.#random() > 0.3) return;
    this.#isBusy = true;
    await this.#happens();
    await this.#world.clock.sleep(5);
    this.#isBusy = false;
  }

  async #happens(): Promise<void> {
    const [roll, one] = [this.#random(), pick(this.#random, this.#standing)];
    if (roll < 0.1 && !this.#receivers.isCalm) this.#goesAway(pick(this.#random, this.#slots));
    else if (roll < 0.5) await this.#send();
    else if (roll < 0.6) await this.#edit(one, { definition: this.#definition() });
    else if (roll < 0.75) await this.#edit(one, { on: pick(this.#random, [[0], [1], [0, 1], []]) });
    else if (roll < 0.85) await this.#replaceDestination(pick(this.#random, this.#slots));
    else if (roll < 0.9) await this.#replaceAudience(one);
    else if (roll < 0.95) await this.#replay(pick(this.#random, this.#slots));
    else await this.#send({ type: 'alias', previousId: pick(this.#random, USERS) });
  }

  #goesAway({ url }: Slot): void {
    const { clock } = this.#world;
    const forMs = this.#receivers.goAway(url, clock) - clock.steady();
    this.#tells(`${url} is away for ${forMs} ms`);
  }

  async #send(given: Partial<Event> = {}): Promise<void> {
    const said = pick<Partial<Event>>(this.#random, [
      { event: 'Bought' },
      { event: 'Left' },
      { type: 'identify', traits: { plan: pick(this.#random, ['pro', 'free']) } },
    ]);
    const sent = { userId: pick(this.#random, USERS), ...said, ...given };
    const at = new Date(this.#world.clock.now()).toISOString();
    const messageId = `m${(this.#sent += 1)}`;
    const event: Event = { type: 'track', messageId, context: {}, timestamp: at, receivedAt: at, ...sent };
    this.#log.push({ source: SOURCE, event });
    this.#tells(`sent ${JSON.stringify(sent)}`);
    await this.#world.send(sent);
  }

  #definition(): Definition {
    const counted: Definition = {
      events: { where: pick(this.#random, COUNTED), count: { gte: pick(this.#random, [1, 2, 3]) } },
    };
    return pick<Definition>(this.#random, [
      counted,
      { not: counted },
      { all: [counted, { trait: 'plan', is: { eq: 'pro' } }] },
      { any: [counted, { trait: 'plan', is: { eq: 'pro' } }] },
    ]);
  }

  async #define(): Promise<void> {
    const [definition, key] = [this.#definition(), `k${(this.#made += 1)}`];
    const name = await this.#world.audience(
      key,
      definition,
      this.#slots.map((slot) => slot.name),
    );
    this.#tells(`made ${key} ${JSON.stringify(definition)}`);
    this.#standing.push({ name, key, definition, on: [0, 1], changes: [] });
  }

  async #edit(
    one: Standing,
    change: { readonly definition?: Definition; readonly on?: readonly number[] },
  ): Promise<void> {
    this.#tells(`edited ${one.key} ${JSON.stringify(change)}`);
    const { definition = one.definition, on = one.on } = change;
    const now = this.#world.clock.now();
    for (const [index, { url }] of this.#slots.entries()) {
      if (on.includes(index)) this.#off.delete(`${one.key} ${url}`);
      else if (one.on.includes(index)) this.#off.set(`${one.key} ${url}`, now);
    }
    if (JSON.stringify([definition, on]) !== JSON.stringify([one.definition, one.on])) one.changes.push(now);
    Object.assign(one, { definition, on });
    await this.#world.edit(one.name, { definition, destinations: on.map((index) => this.#slots[index]?.name ?? '') });
  }

  async #replaceAudience(one: Standing): Promise<void> {
    this.#tells(`deleted ${one.key}`);
    this.#standing.splice(this.#standing.indexOf(one), 1);
    await this.#world.store.resources.remove('audiences', one.name);
    await this.#define();
  }

  async #replaceDestination(slot: Slot): Promise<void> {
    this.#tells(`made ${slot.name} once more`);
    await this.#world.store.resources.remove('destinations', slot.name);
    slot.url = `https://d${(this.#made += 1)}.test/`;
    this.#urls.add(slot.url);
    await this.#world.addDestination(slot.name.slice(slot.name.lastIndexOf('/') + 1), slot.url);
  }

  async #replay({ name }: Slot): Promise<void> {
    const { deliveries } = await this.#world.store.list({ destination: name, filter: { type: 'identify' }, limit: 50 });
    const all = { delivery: undefined };
    const { delivery } = this.#random() < 0.3 || deliveries.length === 0 ? all : pick(this.#random, deliveries);
    this.#tells(`replayed ${delivery ?? 'all'} of ${name}`);
    await this.#world.replay(name, delivery);
  }

  async #addDestination(): Promise<void> {
    const slot = { name: `${SOURCE}/destinations/second`, url: 'https://two.test/' };
    this.#slots.push(slot);
    this.#urls.add(slot.url);
    await this.#world.addDestination('second', slot.url);
  }

  #heardWrongly(): string[] {
    const people = peopleOf(this.#log);
    const [hour, found] = [Math.ceil(this.#world.clock.now() / HOUR) - 1, Array<string>()];
    for (const { key, definition, on } of this.#standing) {
      for (const { url } of on.flatMap((index) => this.#slots[index] ?? [])) {
        const heard = this.#world.heard(url).filter((call) => call.key === key);
        const last = new Map(heard.map(({ user, value }) => [user, value]));
        for (const person of people) {
          const wanted = isMember(definition, person, hour, KNOWN);
          const said = last.get(person.user);
          if (wanted ? said !== true : said === true) {
            found.push(
              `${url} heard ${String(said)} of ${person.user} in ${key}, who is ${wanted ? 'a' : 'no'} member`,
            );
          }
        }
      }
    }
    for (const [of, since] of this.#off) {
      const [key = '', url = ''] = of.split(' ');
      const late = this.#world.heard(url).filter((call) => call.key === key && call.at > since);
      found.push(
        ...late.map(({ user, at }) => `${url} heard of ${user} in ${key} at ${at}, and was taken off at ${since}`),
      );
    }
    return found;
  }

  /** Each change is computed as soon as no sync of before is under way any more. */
  async #late(): Promise<string[]> {
    const found: string[] = [];
    for (const { name, key, changes } of this.#standing) {
      const syncs = await this.#world.syncs(name);
      for (const change of changes) {
        const running = syncs.find(({ startedAt, endedAt = Infinity }) => startedAt <= change && endedAt >= change);
        const until = Math.max(change, running?.endedAt ?? change) + SOON;
        const isSeen = syncs.some(({ startedAt }) => startedAt >= change && startedAt <= until);
        if (!isSeen) found.push(`the change of ${key} at ${change} was not computed until ${until}`);
      }
    }
    return found;
  }

  #tells(what: string): void {
    this.#story.push(`${this.#world.clock.now()} ${what}`);
  }
}

/** All that worlds count is counted from the beginning. */
const KNOWN: Known = {
  audience: (name) => {
    throw new Error(`${name} is referred to`);
  },
  computedTrait: (name) => {
    throw new Error(`${name} is referred to`);
  },
  since: () => 0,
  matches: (where, event) => fqlHolds(where, event),
  stored: (name) => name,
};
