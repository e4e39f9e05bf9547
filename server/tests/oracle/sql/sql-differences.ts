import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCatcher } from '../../../audiences/catch.ts';
import type { ComputeRequest, ProfileStorage } from '../../../storage/profile-storage.ts';
import type { OpenProfiles, ProfilePlace } from '../../conformance/profile-place.ts';
import type { Logged } from '../people.ts';
import { WORKSPACE } from '../random-definitions.ts';
import { define, type Defined, eventsOf, hourOfRound, HOUSEHOLD, type Size } from './population.ts';
import { SqlOracle, type Values } from './sql-oracle.ts';

export interface Compared {
  readonly events: number;
  readonly profiles: number;
  /** Of all audiences, in all rounds. */
  readonly members: number;
  /** Of all computed traits. */
  readonly values: number;
  /** Where the engine and the SQL differ. */
  readonly differences: readonly string[];
}

/** So many events are caught and folded together. */
const LOT = 5_000;
const PAGE = 20_000;

/**
 * Gives the same events to the engine and to DuckDB, and compares what both find: all members of all audiences and all values, at the
 * end of each round. `tell` hears how it goes.
 */
export async function sqlDifferences(
  size: Size,
  open: OpenProfiles,
  tell: (what: string) => void = () => undefined,
): Promise<Compared> {
  const [place, folder] = [await open(), mkdtempSync(join(tmpdir(), 'waybill-sql-oracle-'))];
  try {
    await using oracle = await SqlOracle.open();
    return await new Comparing(size, place, oracle, join(folder, 'events.ndjson'), tell).run();
  } finally {
    await place.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Comparing {
  readonly #size: Size;
  readonly #place: ProfilePlace;
  readonly #oracle: SqlOracle;
  readonly #file: string;
  readonly #tell: (what: string) => void;
  readonly #defined: Defined;
  readonly #differences: string[] = [];
  #events = 0;
  #profiles = 0;
  #members = 0;
  #values = 0;

  constructor(size: Size, place: ProfilePlace, oracle: SqlOracle, file: string, tell: (what: string) => void) {
    [this.#size, this.#place, this.#oracle, this.#file, this.#tell] = [size, place, oracle, file, tell];
    this.#defined = define(size);
  }

  async run(): Promise<Compared> {
    for (let round = 0; round < this.#size.rounds; round += 1) {
      this.#tell(`round ${round + 1}: events`);
      await this.#accept(round);
      await this.#oracle.load(this.#file);
      rmSync(this.#file);
      this.#profiles = await this.#oracle.read();
      this.#tell(`round ${round + 1}: ${this.#profiles} profiles of ${this.#events} events`);
      await this.#compareAll(round);
    }
    const [events, profiles] = [this.#events, this.#profiles];
    return { events, profiles, members: this.#members, values: this.#values, differences: this.#differences };
  }

  async #accept(round: number): Promise<void> {
    const { computations } = this.#defined;
    const catcher = createCatcher({ computations: () => computations, erasures: () => 0 });
    let lot: Logged[] = [];
    for (let household = 0; household * HOUSEHOLD < this.#size.users; household += 1) {
      lot.push(...eventsOf(household, round, this.#size.seed));
      if (lot.length < LOT) continue;
      await this.#give(lot, catcher.begin(WORKSPACE)?.of);
      lot = [];
    }
    await this.#give(lot, catcher.begin(WORKSPACE)?.of);
  }

  /** DuckDB gets events as they are, the engine what the pipeline catches of them. */
  async #give(lot: readonly Logged[], catching: ((event: Logged['event']) => string | undefined) | undefined) {
    this.#events += lot.length;
    appendFileSync(this.#file, lot.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const caught = lot.flatMap(({ source, event }) => {
      const json = catching?.(event);
      return json === undefined ? [] : [{ source, caught: json }];
    });
    await this.#place.catches(caught);
    const { space } = this.#defined.computations;
    while (
      (await this.#place.profiles.fold({ spaces: async () => (space === undefined ? [] : [space]), limit: LOT })).isMore
    );
  }

  async #compareAll(round: number): Promise<void> {
    const [{ audiences, traits }, hour] = [this.#defined, hourOfRound(round)];
    for (const { name, definition } of traits) {
      this.#values += await this.#compare(name, round, await this.#oracle.values(name, definition, hour));
    }
    for (const { name, definition } of audiences) {
      this.#members += await this.#compare(name, round, await this.#oracle.members(name, definition, hour));
    }
  }

  async #compare(name: string, round: number, wanted: Values): Promise<number> {
    const [hour, { computations }, { profiles }] = [hourOfRound(round), this.#defined, this.#place];
    const of = computations.get(name)?.at(hour);
    if (of === undefined || computations.space === undefined) throw new Error(`${name} is not defined`);
    const request: ComputeRequest = { space: computations.space.id, computation: name, run: round + 1, of };
    const { evaluated, size } = await profiles.compute(request);
    const what = `${name} at hour ${hour}`;
    if (evaluated !== this.#profiles)
      this.#differences.push(`${what}: SQL has ${this.#profiles} profiles, the engine ${evaluated}`);
    const different = differenceOf(wanted, await resultsOf(profiles, name));
    if (different !== undefined) this.#differences.push(`${what}: ${different}`);
    this.#tell(`${what}: ${size}${different === undefined ? '' : `, and SQL differs: ${different}`}`);
    return size;
  }
}

async function resultsOf(profiles: ProfileStorage, computation: string): Promise<Values> {
  const found: [string, string][] = [];
  let after: string | undefined;
  do {
    const page = await profiles.results({ computation, after, limit: PAGE });
    for (const { user, value } of page.results) found.push([user, value]);
    after = page.next;
  } while (after !== undefined);
  return found;
}

/** The first place in which two lists differ. */
function differenceOf(wanted: Values, found: Values): string | undefined {
  for (let at = 0; at < Math.max(wanted.length, found.length); at += 1) {
    const [one, other] = [JSON.stringify(wanted[at]), JSON.stringify(found[at])];
    if (one !== other)
      return `of ${wanted.length} and ${found.length}, number ${at} is ${one} in SQL, ${other} in the engine`;
  }
  return undefined;
}
