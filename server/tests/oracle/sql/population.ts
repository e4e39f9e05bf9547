import { USUAL } from '../edges.ts';
import { seededRandom } from '../../../../testbed/simulation/seeded-random.ts';
import { beginningsOf, compileComputations, type Computations } from '../../../audiences/computations.ts';
import type { Audience, ComputedTrait } from '../../../model/resources.ts';
import type { Random } from '../../../ports/random.ts';
import { isMember, type Known } from '../evaluate.ts';
import { fqlHolds } from '../fql.ts';
import { type Logged, peopleOf, type Person } from '../people.ts';
import { randomDefinition, randomTrait, WORKSPACE } from '../random-definitions.ts';
import { randomEvent } from '../random-events.ts';

const HOUR = 3_600_000;
export const START = Date.UTC(2026, 0, 20, 5);
/** Rounds follow each other at once. */
const HOURS_OF_A_ROUND = 240;
/** Users of one household share devices, and take over each other's ids now and then. */
export const HOUSEHOLD = 5;
const EVENTS_OF_A_ROUND = 12;
/** Of the aliases of random worlds most are left out here: users are to stay many. */
const ALIASES_KEPT = 0.2;
const FIRST_HOUSEHOLDS = 20;

/** The hour in which the runs of a round are. */
export function hourOfRound(round: number): number {
  return START / HOUR + HOURS_OF_A_ROUND * (round + 1);
}

/** What one household does in a round: as in a random world, under ids of its own. */
export function eventsOf(household: number, round: number, seed: number): Logged[] {
  const random = seededRandom(seed * 7_919 + household * 104_729 + round);
  const begin = START + round * HOURS_OF_A_ROUND * HOUR;
  const events: Logged[] = [];
  for (let number = 0; number < EVENTS_OF_A_ROUND; number += 1) {
    const now = begin + Math.floor(((number + random()) / EVENTS_OF_A_ROUND) * HOURS_OF_A_ROUND * HOUR);
    const logged = randomEvent(random, USUAL, now, round * EVENTS_OF_A_ROUND + number);
    if (logged.event.type !== 'alias' || random() < ALIASES_KEPT) events.push(ofHousehold(logged, household));
  }
  return events;
}

function ofHousehold({ source, event }: Logged, household: number): Logged {
  const { userId, anonymousId, previousId } = event;
  const ids = Object.entries({ userId, anonymousId, previousId }).flatMap(([field, id]) =>
    id === undefined || id === 'null' ? [] : [[field, `${id}-${household}`]],
  );
  return { source, event: { ...event, ...Object.fromEntries(ids) } };
}

export interface Size {
  readonly users: number;
  readonly audiences: number;
  readonly traits: number;
  readonly rounds: number;
  readonly seed: number;
}

export interface Defined {
  readonly audiences: readonly Audience[];
  readonly traits: readonly ComputedTrait[];
  readonly computations: Computations;
}

/**
 * Random computed traits, and audiences that refer to them and to each other, all counted from the beginning. Of the first households some
 * are members of each audience, and some are not: what holds for everybody or nobody shows little.
 */
export function define({ audiences: wanted, traits: most, rounds, seed }: Size): Defined {
  const random = seededRandom(seed);
  const traits = Array.from({ length: most }, (_one, made) => traitRow(random, made));
  const audiences: Audience[] = [];
  const matches = rememberedMatches();
  const known: Known = {
    stored: (name) => name,
    audience: (name) => definitionOf(audiences, name).definition,
    computedTrait: (name) => definitionOf(traits, name).definition,
    since: () => START,
    matches,
  };
  const people = peopleOf(firstEvents(rounds, seed));
  while (audiences.length < wanted) {
    const others = { audiences: audiences.map(nameOf), traits: traits.map(nameOf), start: START, palette: USUAL };
    const definition = randomDefinition(random, others);
    const isIn = (person: Person): boolean => isMember(definition, person, hourOfRound(rounds - 1), known);
    if (!people.some(isIn) || people.every(isIn)) continue;
    audiences.push({ ...common('audiences', audiences.length), definition, ...beginningsOf(definition, [], BEGIN) });
  }
  return { audiences, traits, computations: compileComputations(WORKSPACE, { audiences, traits }) };
}

function definitionOf<Row extends { readonly name: string }>(rows: readonly Row[], name: string): Row {
  const row = rows.find((one) => one.name === name);
  if (row === undefined) throw new Error(`${name} is not defined`);
  return row;
}

function firstEvents(rounds: number, seed: number): Logged[] {
  const households = Array.from({ length: FIRST_HOUSEHOLDS }, (_one, household) => household);
  return Array.from({ length: rounds }, (_one, round) => round).flatMap((round) =>
    households.flatMap((household) => eventsOf(household, round, seed)),
  );
}

/** Many definitions have the same conditions. */
function rememberedMatches(): Known['matches'] {
  const read = new Map<string, WeakMap<Logged['event'], boolean>>();
  return (where, event) => {
    const known = read.get(where) ?? new WeakMap<Logged['event'], boolean>();
    read.set(where, known);
    const found = known.get(event) ?? fqlHolds(where, event);
    known.set(event, found);
    return found;
  };
}

function traitRow(random: Random, made: number): ComputedTrait {
  const definition = randomTrait(random, { audiences: [], traits: [], start: START, palette: USUAL });
  return { ...common('computed-traits', made), definition, ...beginningsOf(definition, [], BEGIN) };
}

const BEGIN = new Date(START).toISOString();

function common(kind: string, made: number) {
  const name = `${WORKSPACE}/${kind}/${made}`;
  const times = { create_time: BEGIN, update_time: BEGIN };
  return { name, key: 'k', display_name: 'K', enabled: true, destinations: [], ...times };
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
