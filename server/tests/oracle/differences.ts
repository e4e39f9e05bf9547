import { seededRandom } from '../../../testbed/simulation/seeded-random.ts';
import { byValues, explain, hourOfChange, measuredIn } from '../../audiences/explain.ts';
import type { Plan } from '../../audiences/plan.ts';
import type { Audience } from '../../model/resources.ts';
import type { ProfileStorage, SpacesNow } from '../../storage/profile-storage.ts';
import { caught, type OpenProfiles, type ProfilePlace } from '../conformance/profile-place.ts';
import { explanationOf, hourOfNextChange, readExplained } from './explanations.ts';
import { isMember, traitOf, valueOf } from './evaluate.ts';
import { byCodePoint, peopleOf, type Person } from './people.ts';
import { pick, WORKSPACE } from './random-definitions.ts';
import { type Standing, World } from './world.ts';

const OF_OTHERS = caught(0, { userId: 'u1', event: 'Bought' }, 'workspaces/main2/sources/js');

/** How the engine says why somebody is a member. */
export interface Explaining {
  readonly explain: typeof explain;
  readonly hourOfChange: typeof hourOfChange;
}

/** Lives one random world through, and answers where the engine's results differ from the oracle's; empty where nowhere. */
export async function differencesIn(
  seed: number,
  open: OpenProfiles,
  explaining: Explaining = { explain, hourOfChange },
): Promise<readonly string[]> {
  const place = await open();
  try {
    const world = new World(seededRandom(seed), place);
    return await new Course(world, place, explaining).differences();
  } finally {
    await place.end();
  }
}

class Course {
  readonly #world: World;
  readonly #place: ProfilePlace;
  #profiles: ProfileStorage;
  #run = 0;
  readonly #explaining: Explaining;
  /** What was found of each user by the last run of each computation, and by which run first. */
  readonly #before = new Map<string, ReadonlyMap<string, Found>>();

  constructor(world: World, place: ProfilePlace, explaining: Explaining) {
    [this.#world, this.#place, this.#profiles, this.#explaining] = [world, place, place.profiles, explaining];
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
    else if (roll < 0.16) await this.#restart();
    else await world.accept();
    if (world.random() < 0.1) await this.#tidy();
    // What was caught under other definitions is folded by the present ones, as it is when a run comes later.
    if (world.random() < 0.2) await this.#fold(this.#spacesMeanwhile);
  }

  async #restart(): Promise<void> {
    this.#world.restart();
    this.#profiles = await this.#place.reopen();
  }

  /** Nothing that was counted may be missed by an edit, or by what is made later. */
  async #tidy(): Promise<void> {
    const { computations, hour } = this.#world;
    const spaces = computations.space === undefined ? [] : [computations.space];
    const names = computations.all.map(({ name }) => name);
    const needed = { spaces, computations: names, from: computations.neededFrom(hour) };
    // What waits is folded first, so that the oracle knows what is removed.
    await this.#fold(this.#spaces);
    const lose = this.#world.losing();
    const request = {
      needed: async () => {
        // Where others may fold meanwhile, what they count stays.
        if (this.#place.isShared && this.#world.random() < 0.3) await this.#foldMeanwhile();
        return needed;
      },
      limit: 1_000,
    };
    await this.#profiles.tidy(request);
    lose();
  }

  async #foldMeanwhile(): Promise<void> {
    await this.#comesMeanwhile();
    await this.#fold(this.#spaces);
  }

  /** All, or what was caught until now of the workspace, while others catch as well, whose profiles are not kept. */
  async #fold(spaces: SpacesNow): Promise<void> {
    const { random } = this.#world;
    if (random() < 0.2) await this.#place.catches([OF_OTHERS]);
    const own = { workspace: WORKSPACE, upTo: await this.#profiles.lastCaught() };
    const of = random() < 0.5 ? own : {};
    while ((await this.#profiles.fold({ spaces, limit: 1 + Math.floor(random() * 9), ...of })).isMore);
  }

  readonly #spaces: SpacesNow = async () => {
    const { space } = this.#world.computations;
    return space === undefined ? [] : [space];
  };

  /** While it is asked what counts, and once that is known, more may come and definitions change. */
  readonly #spacesMeanwhile: SpacesNow = async () => {
    const { random } = this.#world;
    if (random() < 0.1) await this.#comesMeanwhile();
    const spaces = await this.#spaces();
    if (random() < 0.1) await this.#comesMeanwhile();
    return spaces;
  };

  async #comesMeanwhile(): Promise<void> {
    const world = this.#world;
    world.pass(world.random() ** 6 * 2);
    const roll = world.random();
    if (roll < 0.5) world.define(roll < 0.25 ? 'audiences' : 'computed-traits');
    else if (roll < 0.75) world.edit();
    for (let more = Math.floor(world.random() * 3); more >= 0; more -= 1) await world.accept();
  }

  async #compareAll(): Promise<string[]> {
    await this.#fold(this.#spacesMeanwhile);
    await this.#fold(this.#spaces);
    this.#run += 1;
    const people = peopleOf(this.#world.stored).toSorted((one, other) => byCodePoint(one.user, other.user));
    const found: string[] = [];
    for (const one of this.#world.standing) found.push(...(await this.#compare(one, people)));
    for (const person of people) found.push(...(await this.#compareProfile(person)));
    if (people.length > 0) found.push(...(await this.#compareExplained(pick(this.#world.random, people))));
    return found;
  }

  async #compare({ name, row }: Standing, people: readonly Person[]): Promise<string[]> {
    const { hour, known, computations } = this.#world;
    const [space, of] = [computations.space?.id ?? '', computations.get(name)?.at(hour)];
    if (of === undefined) throw new Error(`${name} does not stand`);
    const computed = await this.#profiles.compute({ space, computation: name, run: this.#run, of });
    const { results } = await this.#profiles.results({ computation: name, limit: 1_000 });
    const before = this.#before.get(name) ?? new Map<string, Found>();
    const wanted = new Map<string, Found>();
    for (const person of people) {
      const value = isAudience(row)
        ? isMember(row.definition, person, hour, known) || undefined
        : valueOf(row.definition, person, hour, known);
      if (value === undefined) continue;
      const [json, last] = [JSON.stringify(value), before.get(person.user)];
      wanted.set(person.user, { value: json, since: last?.value === json ? last.since : this.#run });
    }
    this.#before.set(name, wanted);
    const expected = {
      evaluated: people.length,
      size: wanted.size,
      entered: [...wanted.keys()].filter((user) => !before.has(user)).length,
      left: [...before.keys()].filter((user) => !wanted.has(user)).length,
    };
    return [
      ...(isAudience(row) ? await this.#compareLater(row, people) : []),
      ...difference(
        `${name} at hour ${hour}`,
        Array.from(wanted, ([user, found]) => ({ user, ...found })),
        results.map(({ user, value, since }) => ({ user, value, since })),
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
    const names = Object.keys(this.#world.palette.traits).map((name) => this.#world.known.stored(name));
    const traits = names
      .toSorted(byCodePoint)
      .map((name) => [name, traitOf(person, name)] as const)
      .filter(([, value]) => value !== undefined && value !== null);
    const [asked] = person.userIds;
    const profile = await this.#profiles.profile({ space: space?.id ?? '', user: asked ?? '', measures: [] });
    const results = this.#world.standing.flatMap(({ name }) => {
      const found = this.#before.get(name)?.get(person.user);
      return found === undefined ? [] : [{ computation: name, ...found }];
    });
    const expected = { user: person.user, userIds: person.userIds, traits: Object.fromEntries(traits), results };
    const { user, userIds, traits: found } = profile ?? {};
    // Of computations that were removed results are there until they are tidied away.
    const standing = this.#world.standing.flatMap(({ name }) => {
      const { value, since } = profile?.results.find(({ computation }) => computation === name) ?? {};
      return value === undefined ? [] : [{ computation: name, value, since }];
    });
    const of = `the profile of ${person.user}`;
    return difference(of, expected, { user, userIds, traits: found, results: standing });
  }

  /** Why somebody is a member of an audience or not, and when that changes. */
  async #compareExplained(person: Person): Promise<string[]> {
    const { hour, known, computations, random, standing } = this.#world;
    const { name, definition } = pick(
      random,
      standing.flatMap(({ row }) => (isAudience(row) ? [row] : [])),
    );
    const planAt = (at: number): Plan => {
      const of = computations.get(name)?.at(at);
      if (of === undefined || !('members' in of)) throw new Error(`${name} is no audience`);
      return of.members;
    };
    const plan = planAt(hour);
    const values = measuredIn(plan);
    const measures = [...new Set(values.map(({ measure }) => measure))];
    const user = pick(random, person.userIds);
    const profile = await this.#profiles.profile({ space: computations.space?.id ?? '', user, measures, values });
    if (profile === undefined) return [`${user} is unknown`];
    const { traits, tiles = [] } = profile;
    const { explain: explained, hourOfChange: change } = this.#explaining;
    return [
      ...difference(
        `why ${user} is in ${name} or not at hour ${hour}`,
        explanationOf(definition, person, hour, known),
        readExplained(explained(plan, byValues(profile, values))),
      ),
      ...difference(
        `when ${user} comes into ${name} or leaves, at hour ${hour}`,
        hourOfNextChange(definition, person, hour, known),
        change(planAt, hour, { traits, tiles }),
      ),
    ];
  }
}

interface Found {
  /** JSON. */
  readonly value: string;
  readonly since: number;
}

function isAudience(row: Standing['row']): row is Audience {
  return row.name.includes('/audiences/');
}

function difference(what: string, wanted: unknown, found: unknown): string[] {
  const [a, b] = [JSON.stringify(wanted), JSON.stringify(found)];
  return a === b ? [] : [`${what}: the oracle says ${a}, the engine ${b}`];
}
