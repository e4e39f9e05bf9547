import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../server/ports/random.ts';
import type { DatabasePair } from './database-pair.ts';
import type { Break, Fleet } from './fleet.ts';

export interface Stage {
  readonly fleet: Fleet;
  readonly database: DatabasePair;
  readonly random: Random;
}

/** Breaks something, and resolves once it is whole again. */
export type Fault = (stage: Stage) => Promise<void>;

const SECOND = 1_000;

/** What machines and networks do to routers and to their database. */
export const FAULTS = {
  'router killed': async ({ fleet, random }) => {
    const index = someOf(fleet, random);
    await fleet.kill(index);
    await wait(between(random, 0, 12 * SECOND));
    await fleet.start(index);
  },
  /** Beyond its lease: the others have taken what it held when it wakes up. */
  'router paused': paused(11 * SECOND, 30 * SECOND),
  /** For about its lease: what it asked in one life may be answered in the next. */
  'router paused for its lease': paused(7 * SECOND, 12 * SECOND),
  /** Beyond its lease, which it has not seen pass. */
  'machine asleep': async ({ fleet, random }) => {
    await fleet.sleep(someOf(fleet, random), between(random, 11 * SECOND, 30 * SECOND));
    await wait(SECOND);
  },
  /** Within its lease: nobody may have taken anything. */
  'router stalled': async ({ fleet, random }) => {
    const index = someOf(fleet, random);
    fleet.pause(index);
    await wait(between(random, SECOND, 6 * SECOND));
    fleet.resume(index);
  },
  'router cut off': broken('cut', 15 * SECOND),
  'router half-open': broken('held', 15 * SECOND),
  'answers lost': broken('answers lost', 3 * SECOND),
  'primary lost': async ({ database, random }) => {
    await database.loseThePrimary();
    await wait(between(random, 0, 5 * SECOND));
    await database.rebuildTheStandby();
  },
  /** It takes writes again, and waits for no standby: what it is given is lost. */
  'old primary returns': async ({ fleet, database, random }) => {
    await database.loseThePrimary();
    const strangers = await database.returnTheOldPrimary();
    // Who starts now has seen neither of them.
    const index = someOf(fleet, random);
    await fleet.kill(index);
    await fleet.start(index);
    await wait(between(random, 5 * SECOND, 10 * SECOND));
    if (await strangers.hasNews()) throw new Error('a router wrote to the old primary');
    await database.rebuildTheStandby();
  },
  'primary crashed': ({ database }) => database.crashThePrimary(),
  'standby lost': async ({ database, random }) => {
    await database.loseTheStandby();
    await wait(between(random, SECOND, 15 * SECOND));
    await database.returnTheStandby();
  },
  /** What was never answered as stored, and all routers have seen, is gone. */
  'history undone': async ({ database, random }) => {
    await database.loseTheStandby();
    await wait(between(random, SECOND, 8 * SECOND));
    await database.restartThePrimaryAlone();
    await wait(between(random, 2 * SECOND, 10 * SECOND));
    await database.promoteTheLostStandby();
    await database.rebuildTheStandby();
  },
  'transaction held open': async ({ database, random }) => {
    const held = await database.holdTransaction();
    await wait(between(random, 5 * SECOND, 20 * SECOND));
    await held[Symbol.asyncDispose]();
  },
  /** Only where the disk is a small one of its own. */
  'disk full': async ({ database, random }) => {
    const full = await database.fillDisk();
    await wait(between(random, 3 * SECOND, 10 * SECOND));
    await full[Symbol.asyncDispose]();
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

/** Those that any machine can have. */
export const FAULT_NAMES = Object.keys(FAULTS).filter((name) => isFault(name) && name !== 'disk full');

export function isFault(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name);
}

function paused(leastMs: number, mostMs: number): Fault {
  return async ({ fleet, random }) => {
    const index = someOf(fleet, random);
    fleet.pause(index);
    await wait(between(random, leastMs, mostMs));
    fleet.resume(index);
    await wait(SECOND);
  };
}

function broken(how: Break, mostMs: number): Fault {
  return async ({ fleet, random }) => {
    const index = someOf(fleet, random);
    fleet.break(index, how);
    await wait(between(random, mostMs / 10, mostMs));
    fleet.mend(index);
  };
}

function someOf(fleet: Fleet, random: Random): number {
  return Math.floor(random() * fleet.size);
}

function between(random: Random, from: number, to: number): number {
  return from + random() * (to - from);
}
