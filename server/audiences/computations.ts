import { createHash } from 'node:crypto';
import { type Definition, DEFINITION_LIMITS, type TraitDefinition } from '../model/definition.ts';
import type { Audience, ComputedTrait, ProfileBeginning } from '../model/resources.ts';
import type { ComputeRequest, MeasuredSpace } from '../storage/profile-storage.ts';
import { hoursOf } from './windows.ts';
import type { Measure } from './measure.ts';
import {
  type Countable,
  type Counting,
  conditionsOf,
  countingOfTrait,
  countingsOf,
  hashOf,
  isTraitKind,
} from './measures.ts';
import type { Plan } from './plan.ts';
import { type PlanContext, planOf, valuesOf } from './plan-of.ts';

/** An audience or a computed trait, as runs need it. */
export interface Computation {
  /** Full name. */
  readonly name: string;
  readonly kind: 'audiences' | 'computed-traits';
  /** The trait that it is told as. */
  readonly key: string;
  readonly enabled: boolean;
  /** Full names; some may be gone, or disabled. */
  readonly destinations: readonly string[];
  /** JSON: what is told of who has a value no more. */
  readonly ofNone: string;
  /** ISO 8601: what was received earlier is in none of its results. */
  readonly historyFrom: string;
  /** ISO 8601: when it was last changed. */
  readonly updateTime: string;
  /** Of what is computed and to whom it is told: an edit of the rest leaves it as it is. */
  readonly digest: string;
  /** What a run at this hour asks for. */
  readonly at: (hour: number) => ComputeRequest['of'];
}

/** A definition that is stored nowhere. */
export interface Previewed {
  readonly historyFrom: string;
  readonly at: (hour: number) => Plan;
}

/** What is computed in one workspace, by one state of its audiences and computed traits. Immutable. */
export interface Computations {
  /** Audiences, then computed traits, each in order of creation. */
  readonly all: readonly Computation[];
  readonly get: (name: string) => Computation | undefined;
  /** Undefined where nothing is computed, and profiles are not kept for later. */
  readonly space: MeasuredSpace | undefined;
  /** Whether profiles are kept whatever is computed. */
  readonly keepsProfiles: boolean;
  /** The first hour that a window of each measure may look at in a run at this hour; what all hours are needed of is left out. */
  readonly neededFrom: (hour: number) => readonly { readonly measure: string; readonly hour: number }[];
  /** `now`, in ISO 8601, is since when there is what nobody counted so far. */
  readonly preview: (definition: Definition, now: string) => Previewed;
}

/** In hours. */
const LONGEST_WINDOW = 24 * DEFINITION_LIMITS.windowDays;

interface Rows {
  readonly audiences: readonly Audience[];
  readonly traits: readonly ComputedTrait[];
  /** At most one. */
  readonly beginnings?: readonly ProfileBeginning[];
}

export function compileComputations(workspace: string, rows: Rows): Computations {
  return new Compiled(workspace, rows).computations();
}

class Compiled {
  readonly #workspace: string;
  readonly #rows: Rows;
  readonly #audiences: ReadonlyMap<string, Audience>;
  readonly #traits: ReadonlyMap<string, ComputedTrait>;
  /** ISO 8601, by hash: the same for all that count it, as each takes the time that stands. */
  readonly #from: ReadonlyMap<string, string>;
  #measured: readonly { readonly measure: string; readonly window: Counting['window'] }[] | undefined;

  constructor(workspace: string, rows: Rows) {
    [this.#workspace, this.#rows] = [workspace, rows];
    this.#audiences = new Map(rows.audiences.map((row) => [row.name, row]));
    this.#traits = new Map(rows.traits.map((row) => [row.name, row]));
    this.#from = new Map(Object.entries(earliest(this.#all.map((row) => row.measures_from))));
  }

  computations(): Computations {
    const context = this.#context;
    const all: Computation[] = [
      ...this.#rows.audiences.map((row) => ({
        ...this.#common(row, row.definition),
        kind: 'audiences' as const,
        ofNone: 'false',
        at: (hour: number) => ({ members: planOf(row.definition, hour, context) }),
      })),
      ...this.#rows.traits.map((row) => ({
        ...this.#common(row, row.definition),
        kind: 'computed-traits' as const,
        ofNone: valueOfNone(row.definition),
        at: (hour: number) => ({ values: valuesOf(row.definition, hour, context) }),
      })),
    ];
    const byName = new Map(all.map((one) => [one.name, one]));
    return {
      all,
      get: (name) => byName.get(name),
      space: this.#space(),
      keepsProfiles: this.#beginnings.length > 0,
      neededFrom: (hour) => this.#neededFrom(hour),
      preview: (definition, now) => ({
        historyFrom: this.#historyFrom(definition, now),
        at: (hour) => planOf(definition, hour, context),
      }),
    };
  }

  get #all(): readonly (Audience | ComputedTrait)[] {
    return [...this.#rows.audiences, ...this.#rows.traits];
  }

  get #beginnings(): readonly ProfileBeginning[] {
    return this.#rows.beginnings ?? [];
  }

  get #context(): PlanContext {
    return {
      audience: (name) => this.#audiences.get(name)?.definition,
      computedTrait: (name) => this.#traits.get(name)?.definition,
      measure: (hash) => idOf(hash, this.#from.get(hash)),
    };
  }

  #common(row: Audience | ComputedTrait, definition: Definition | TraitDefinition) {
    const { name, key, enabled, destinations, measures_from, profiles_from, update_time: updateTime } = row;
    const told = JSON.stringify([definition, measures_from, destinations.toSorted()]);
    const digest = createHash('sha256').update(told).digest('base64url');
    const historyFrom = this.#historyFrom(definition, profiles_from);
    return { name, key, enabled, destinations, updateTime, digest, historyFrom };
  }

  /** The latest beginning of all that it looks at, by way of others too; `otherwise` of what is counted for nobody. */
  #historyFrom(definition: Definition | TraitDefinition, otherwise: string): string {
    const times = this.#timesOf(definition, otherwise);
    return times.toSorted().at(-1) ?? otherwise;
  }

  #timesOf(definition: Definition | TraitDefinition, otherwise: string): string[] {
    const beginning = (counting: Counting): string => this.#from.get(hashOf(counting.countable)) ?? otherwise;
    if (isTrait(definition)) return [beginning(countingOfTrait(definition))];
    const counted = countingsOf(definition).map(beginning);
    const others = conditionsOf(definition).flatMap((one) => {
      if ('trait' in one) return [this.#profilesFrom ?? otherwise];
      const other = 'member_of' in one ? this.#audiences.get(one.member_of) : undefined;
      const trait = 'computed_trait' in one ? this.#traits.get(one.computed_trait) : undefined;
      return [other, trait].flatMap((row) => (row === undefined ? [] : this.#timesOf(row.definition, otherwise)));
    });
    return [...counted, ...others];
  }

  get #profilesFrom(): string | undefined {
    return profilesFrom([...this.#all, ...this.#beginnings]);
  }

  #countings(): Counting[] {
    const { audiences, traits } = this.#rows;
    return [
      ...audiences.flatMap((row) => countingsOf(row.definition)),
      ...traits.map((row) => countingOfTrait(row.definition)),
    ];
  }

  #space(): MeasuredSpace | undefined {
    const from = this.#profilesFrom;
    if (from === undefined) return undefined;
    const countables = new Map<string, Countable>(
      this.#countings().map((one) => [hashOf(one.countable), one.countable]),
    );
    const measures = Array.from(countables, ([hash, countable]): Measure => {
      const since = this.#from.get(hash) ?? from;
      return { id: idOf(hash, since), ...countable, from: Date.parse(since) };
    });
    return { id: `${this.#workspace}@${Date.parse(from)}`, workspace: this.#workspace, measures };
  }

  /** An edited window may be longer, up to the longest that there is: its history is what was counted so far. */
  #neededFrom(hour: number) {
    const longest = hour - LONGEST_WINDOW + 1;
    const needed = new Map<string, number>();
    // Of all workspaces it is asked for with each step that removes what nobody needs.
    this.#measured ??= this.#countings().map(({ countable, window }) => ({
      measure: this.#context.measure(hashOf(countable)),
      window,
    }));
    for (const { measure, window } of this.#measured) {
      const { from = -Infinity } = hoursOf(window, hour);
      needed.set(measure, Math.min(from, longest, needed.get(measure) ?? longest));
    }
    return Array.from(needed, ([measure, from]) => ({ measure, hour: from })).filter((one) => one.hour > -Infinity);
  }
}

function isTrait(definition: Definition | TraitDefinition): definition is TraitDefinition {
  return Object.keys(definition).some(isTraitKind);
}

/** Of a hash that nobody counts there are no tiles, whatever the id says. */
function idOf(hash: string, from = '1970-01-01T00:00:00.000Z'): string {
  return `${hash}@${Date.parse(from)}`;
}

const NUMBERS = ['counter', 'sum', 'unique_list_count'];

function valueOfNone(definition: TraitDefinition): string {
  if ('unique_list' in definition) return '[]';
  return NUMBERS.some((kind) => kind in definition) ? '0' : 'null';
}

/** Since when each measure is counted in a workspace, by the rows that stand. */
export function earliest(rows: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const times: Record<string, string> = {};
  for (const [hash, time] of rows.flatMap((row) => Object.entries(row))) {
    const known = times[hash];
    if (known === undefined || time < known) times[hash] = time;
  }
  return times;
}

/** A row that says since when something is kept. */
type Begun = Pick<ProfileBeginning, 'profiles_from'> & Partial<Pick<Audience, 'measures_from'>>;

/** What a row that is made or edited now remembers: what stands already goes on, the rest begins. */
export function beginningsOf(
  definition: Definition | TraitDefinition,
  standing: readonly Begun[],
  now: string,
): Pick<Audience, 'measures_from' | 'profiles_from'> {
  const known = earliest(standing.map(({ measures_from = {} }) => measures_from));
  const countings = isTrait(definition) ? [countingOfTrait(definition)] : countingsOf(definition);
  const hashes = [...new Set(countings.map(({ countable }) => hashOf(countable)))];
  const profiles_from = profilesFrom(standing) ?? now;
  return { measures_from: Object.fromEntries(hashes.map((hash) => [hash, known[hash] ?? now])), profiles_from };
}

/** Since when the profiles of a workspace are kept, by the rows that stand. */
export function profilesFrom(rows: readonly Begun[]): string | undefined {
  return rows.map((row) => row.profiles_from).toSorted()[0];
}
