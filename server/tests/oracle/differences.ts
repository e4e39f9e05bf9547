import { seededRandom } from '../../../testbed/simulation/seeded-random.ts';
import type { Audience } from '../../model/resources.ts';
import type { ProfileStorage } from '../../storage/profile-storage.ts';
import type { OpenProfiles, ProfilePlace } from '../conformance/profile-place.ts';
import { isMember, traitOf, valueOf } from './evaluate.ts';
import { byCodePoint, peopleOf, type Person } from './people.ts';
import { pick } from './random-definitions.ts';
import { type Standing, World } from './world.ts';

/** Lives one random world through, and answers where the engine's results differ from the oracle's; empty where nowhere. */
export async function differencesIn(seed: number, open: OpenProfiles): Promise<readonly string[]> {
  const place = await open();
  try {
    const world = new World(seededRandom(seed), place);
    return await new Course(world, place).differences();
  } finally {
    await place.end();
  }
}

class Course {
  readonly #world: World;
  readonly #place: ProfilePlace;
  #profiles: ProfileStorage;
  #run = 0;
  /** Who was found by the last run of each computation. */
  readonly #before = new Map<string, readonly string[]>();

  constructor(world: World, place: ProfilePlace) {
    [this.#world, this.#place, this.#profiles] = [world, place, place.profiles];
  }

  async differences(): Promise<readonly string[]> {
    const { random } = this.#world;
    const steps = 15 + Math.floor(random() * 45);
    for (let step = 0; step < steps; step += 1) {
      await this.#step(random());
      if (step % 12 !== 11 && step !== steps - 1) continue;
      const found = await this.#compareAll();
      if (found.length > 0) return [...this.#world.story, ...found];
    }
    return [];
  }

  async #step(roll: number): Promise<void> {
    const world = this.#world;
    world.pass(world.random() ** 6 * 100);
    if (roll < 0.08) world.define(world.random() < 0.5 ? 'audiences' : 'computed-traits');
    else if (roll < 0.11) world.edit();
    else if (roll < 0.13) world.remove();
    else if (roll < 0.16) this.#profiles = await this.#place.reopen();
    else await world.accept();
    // What was caught under other definitions is folded by the present ones, as it is when a run comes later.
    if (world.random() < 0.2) await this.#fold();
  }

  async #fold(): Promise<void> {
    const { space } = this.#world.computations;
    const spaces = space === undefined ? [] : [space];
    while ((await this.#profiles.fold({ spaces, limit: 1 + Math.floor(this.#world.random() * 9) })).isMore);
  }

  async #compareAll(): Promise<string[]> {
    await this.#fold();
    this.#run += 1;
    const people = peopleOf(this.#world.log).toSorted((one, other) => byCodePoint(one.user, other.user));
    const found: string[] = [];
    for (const one of this.#world.standing) found.push(...(await this.#compare(one, people)));
    for (const person of people) found.push(...(await this.#compareProfile(person)));
    return found;
  }

  async #compare({ name, row }: Standing, people: readonly Person[]): Promise<string[]> {
    const { hour, known, computations } = this.#world;
    const [space, of] = [computations.space?.id ?? '', computations.get(name)?.at(hour)];
    if (of === undefined) throw new Error(`${name} does not stand`);
    const computed = await this.#profiles.compute({ space, computation: name, run: this.#run, of });
    const { results } = await this.#profiles.results({ computation: name, limit: 1_000 });
    const wanted = people.flatMap((person) => {
      const value = isAudience(row)
        ? isMember(row.definition, person, hour, known) || undefined
        : valueOf(row.definition, person, hour, known);
      return value === undefined ? [] : [`${person.user} ${JSON.stringify(value)}`];
    });
    const users = wanted.map((line) => line.slice(0, line.indexOf(' ')));
    const before = this.#before.get(name) ?? [];
    this.#before.set(name, users);
    const expected = {
      evaluated: people.length,
      size: wanted.length,
      entered: users.filter((user) => !before.includes(user)).length,
      left: before.filter((user) => !users.includes(user)).length,
    };
    return [
      ...(isAudience(row) ? await this.#compareLater(row, people) : []),
      ...difference(
        `${name} at hour ${hour}`,
        wanted,
        results.map(({ user, value }) => `${user} ${value}`),
      ),
      ...difference(`counts of ${name} at hour ${hour}`, expected, computed),
    ];
  }

  /** Who would be a member if nothing happened from now on. */
  async #compareLater({ name, definition }: Audience, people: readonly Person[]): Promise<string[]> {
    const { hour: now, known, computations, random } = this.#world;
    const hour = now + pick(random, [1, 2, 3, 5, 12, 24, 48, 72, 168]);
    const of = computations.get(name)?.at(hour);
    if (of === undefined || !('members' in of)) throw new Error(`${name} is no audience`);
    const space = computations.space?.id ?? '';
    const { sample } = await this.#profiles.preview({ space, members: of.members, sample: 1_000 });
    const wanted = people.filter((person) => isMember(definition, person, hour, known)).map(({ user }) => user);
    return difference(`${name} at the later hour ${hour}`, wanted, sample);
  }

  async #compareProfile(person: Person): Promise<string[]> {
    const { space } = this.#world.computations;
    const names = ['plan', 'score', 'since', 'tags'];
    const traits = names
      .map((name) => [name, traitOf(person, name)] as const)
      .filter(([, value]) => value !== undefined && value !== null);
    const [asked] = person.userIds;
    const profile = await this.#profiles.profile({ space: space?.id ?? '', user: asked ?? '', measures: [] });
    const expected = { user: person.user, userIds: person.userIds, traits: Object.fromEntries(traits) };
    const { user, userIds, traits: found } = profile ?? {};
    return difference(`the profile of ${person.user}`, expected, { user, userIds, traits: found });
  }
}

function isAudience(row: Standing['row']): row is Audience {
  return row.name.includes('/audiences/');
}

function difference(what: string, wanted: unknown, found: unknown): string[] {
  const [a, b] = [JSON.stringify(wanted), JSON.stringify(found)];
  return a === b ? [] : [`${what}: the oracle says ${a}, the engine ${b}`];
}
