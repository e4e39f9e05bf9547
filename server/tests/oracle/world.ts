import { type Catcher, createCatcher } from '../../audiences/catch.ts';
import { beginningsOf, compileComputations } from '../../audiences/computations.ts';
import { hourOf } from '../../audiences/hours.ts';
import { normalize } from '../../events/normalize.ts';
import { openEnvelope } from '../../events/normalize-calls.ts';
import type { CountedEvents, Definition, TraitDefinition } from '../../model/definition.ts';
import type { Event } from '../../model/message.ts';
import type { Audience, ComputedTrait } from '../../model/resources.ts';
import type { Random } from '../../ports/random.ts';
import type { ProfilePlace } from '../conformance/profile-place.ts';
import { edgesOf, type Palette, USUAL } from './edges.ts';
import { conditionsIn, type Known, type Lost } from './evaluate.ts';
import { fqlHolds } from './fql.ts';
import type { Logged } from './people.ts';
import { randomDefinition, randomTrait, pick, WORKSPACE } from './random-definitions.ts';
import { randomEvent, randomFollower } from './random-events.ts';
import { storedEvent, storedText } from './stored.ts';

const HOUR = 3_600_000;

/** A computation that stands, and since when the oracle says that each of its measures is counted. */
export interface Standing {
  readonly name: string;
  readonly row: Audience | ComputedTrait;
  readonly since: ReadonlyMap<string, number>;
}

/** A workspace that lives for some days: events come, definitions change, the router restarts. */
export class World {
  readonly random: Random;
  readonly log: Logged[] = [];
  readonly standing: Standing[] = [];
  readonly start = Date.UTC(2026, 0, 20, 5);
  now = this.start;
  /** What was done, for who looks for a fault. */
  readonly story: string[] = [];
  readonly palette: Palette;
  readonly #place: ProfilePlace;
  #made = 0;
  #sent = 0;
  readonly #lost = new Map<string, Lost>();
  #catcher: Catcher;
  #computations: ReturnType<typeof compileComputations> | undefined;
  /** What was read of each condition and event, as many hours look at the same. */
  readonly #read = new Map<string, WeakMap<Event, boolean>>();

  constructor(random: Random, place: ProfilePlace) {
    this.random = random;
    this.#place = place;
    this.palette = random() < 0.35 ? USUAL : edgesOf(random);
    this.#catcher = this.#newCatcher();
    // The first always stands, so that all events are caught.
    for (const kind of ['audiences', 'audiences', 'computed-traits', 'audiences'] as const) this.define(kind);
  }

  /** The same object until something changes. */
  get computations() {
    const rows = this.standing.map(({ row }) => row);
    const traits = rows.filter((row): row is ComputedTrait => !isAudience(row));
    this.#computations ??= compileComputations(WORKSPACE, { audiences: rows.filter(isAudience), traits });
    return this.#computations;
  }

  /** The last hour of a run that starts now. */
  get hour(): number {
    return hourOf(this.now);
  }

  /** What the oracle knows of definitions. */
  get known(): Known {
    const rowOf = (name: string): Audience | ComputedTrait => {
      const found = this.standing.find((one) => one.name === name);
      if (found === undefined) throw new Error(`${name} does not stand`);
      return found.row;
    };
    return {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- names say of which kind they are
      audience: (name) => rowOf(name).definition as Definition,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
      computedTrait: (name) => rowOf(name).definition as TraitDefinition,
      since: (aggregate, events) => {
        const key = keyOf(aggregate, events);
        return Math.min(...this.standing.flatMap(({ since }) => since.get(key) ?? []));
      },
      lost: (aggregate, events) => this.#lost.get(keyOf(aggregate, events)),
      matches: (where, event) => this.#matches(where, event),
      stored: (name) => storedText(name, this.#place),
    };
  }

  #matches(where: string, event: Event): boolean {
    const read = this.#read.get(where) ?? new WeakMap<Event, boolean>();
    this.#read.set(where, read);
    const found = read.get(event) ?? fqlHolds(where, event);
    read.set(event, found);
    return found;
  }

  define(kind: 'audiences' | 'computed-traits'): void {
    this.#made += 1;
    this.#put(`${WORKSPACE}/${kind}/${this.#made}`);
  }

  edit(): void {
    this.#put(pick(this.random, this.standing).name);
  }

  /** Only what nothing refers to can be deleted; the first stays. */
  remove(): void {
    const unused = this.standing
      .slice(1)
      .filter(({ name }) => !this.standing.some(({ row }) => JSON.stringify(row.definition).includes(`"${name}"`)));
    const [gone] = unused;
    if (gone === undefined) return;
    this.standing.splice(this.standing.indexOf(gone), 1);
    this.#computations = undefined;
    this.story.push(`removed ${gone.name}`);
  }

  #put(name: string): void {
    const at = this.standing.findIndex((one) => one.name === name);
    // What was made before may be referred to.
    const before = at < 0 ? this.standing : this.standing.slice(0, at);
    const named = (kind: string): string[] => before.map((one) => one.name).filter((one) => one.includes(kind));
    const others = { audiences: named('/audiences/'), traits: named('/computed-traits/') };
    const definition = name.includes('/audiences/')
      ? randomDefinition(this.random, { ...others, start: this.start, palette: this.palette })
      : randomTrait(this.random, { ...others, start: this.start, palette: this.palette });
    const now = new Date(this.now).toISOString();
    const rows = this.standing.map(({ row }) => row);
    const common = {
      name,
      key: 'k',
      display_name: 'K',
      enabled: true,
      destinations: [],
      create_time: now,
      update_time: now,
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the name says of which kind it is
    const row = { ...common, definition, ...beginningsOf(definition, rows, now) } as Audience | ComputedTrait;
    const since = new Map(
      conditionsIn(definition).map(({ aggregate, events }) => {
        const key = keyOf(aggregate, events);
        return [key, Math.min(...this.standing.map((one) => one.since.get(key) ?? this.now), this.now)];
      }),
    );
    const one = { name, row, since };
    if (at < 0) this.standing.push(one);
    else this.standing[at] = one;
    this.#computations = undefined;
    this.story.push(`${now} ${at < 0 ? 'made' : 'edited'} ${name}: ${JSON.stringify(definition)}`);
  }

  pass(hours: number): void {
    this.now += 1 + Math.floor(hours * HOUR);
  }

  /** An event is accepted, and caught as the pipeline does; some are refused by the storage after that. */
  async accept(): Promise<void> {
    const isRepeated = this.random() < 0.05 && this.log.length > 0;
    const fresh = randomEvent(this.random, this.palette, this.now, (this.#sent += 1));
    const last = this.log.at(-1);
    const next =
      last !== undefined && this.random() < 0.3 ? randomFollower(this.random, this.palette, last, fresh) : fresh;
    const again = isRepeated ? pick(this.random, this.log) : next;
    const receivedAt = next.event.receivedAt;
    const { source, event } = isRepeated ? { ...again, event: { ...again.event, receivedAt } } : next;
    this.now = Math.max(this.now, Date.parse(receivedAt));
    const isStored = this.random() > 0.03;
    this.story.push(`${isStored ? 'accepted' : 'did not store'} ${JSON.stringify({ source, event })}`);
    const batch = this.#catcher.begin(WORKSPACE);
    const caught = batch?.of(normalized(event));
    batch?.stored([isStored]);
    if (!isStored) return;
    this.log.push({ source, event });
    if (caught !== undefined) await this.#place.catches([{ source, caught }]);
  }

  /** What was accepted, as far as the engine can keep it. */
  get stored(): readonly Logged[] {
    return this.log.flatMap(({ source, event }) => {
      const kept = storedEvent(event, this.#place);
      return kept === undefined ? [] : [{ source, event: kept }];
    });
  }

  /**
   * What only windows look at is kept for 730 days, the longest that there may be: a condition without one that comes later finds no
   * more. Asked before it is removed; to be called once it is.
   */
  losing(): () => void {
    const [before, all] = [this.hour - 24 * 730, this.standing.flatMap(({ row }) => conditionsIn(row.definition))];
    const reaching = new Set(all.filter(reachesFarther).map(({ aggregate, events }) => keyOf(aggregate, events)));
    const keys = all.map(({ aggregate, events }) => keyOf(aggregate, events)).filter((key) => !reaching.has(key));
    return () => {
      for (const key of keys) this.#lost.set(key, { before, until: this.now });
    };
  }

  /** After the end of the process nothing is known of what was caught. */
  restart(): void {
    this.#catcher = this.#newCatcher();
  }

  #newCatcher(): Catcher {
    return createCatcher({ computations: () => this.computations, erasures: () => 0 });
  }
}

/** As the pipeline makes it of what was sent. */
function normalized({ receivedAt, ...call }: Event): Event {
  const made = normalize(call, openEnvelope({}, { receivedAt: Date.parse(receivedAt) }), () => '');
  if (typeof made === 'string') throw new Error(`${made}: ${JSON.stringify(call)}`);
  return made;
}

function isAudience(row: Audience | ComputedTrait): row is Audience {
  return row.name.includes('/audiences/');
}

/** Whether there is no window, or one of the years before. */
function reachesFarther({ events: { window } }: ReturnType<typeof conditionsIn>[number]): boolean {
  return window === undefined || ('since' in window && window.since.startsWith('0'));
}

/** What is counted alike is counted once: of what kind the values are, where, and what. */
function keyOf(aggregate: string, { where, of, sources }: CountedEvents & { readonly of?: string }): string {
  const kinds = { first: 'ends', last: 'ends', distinct: 'values', most_frequent: 'values', list: 'values' };
  const kind = Object.entries(kinds).find(([name]) => name === aggregate)?.[1] ?? 'amounts';
  return JSON.stringify([kind, where, of, sources]);
}
