import { behaviorOf } from './behavior.ts';
import type { Behavior } from './behavior.ts';
import { sampleDelay } from './delay.ts';
import { drawAt } from './random.ts';
import type { Draw } from './random.ts';
import type { Script, Step } from './step.ts';

/** How far a script has been played. Plain data, never changed in place. */
export interface Playhead {
  /** Requests so far. */
  readonly requests: number;
  /** How often each step was taken; a step without an entry never was. */
  readonly taken: readonly number[];
}

export const BEGINNING: Playhead = { requests: 0, taken: [] };

/** What one request gets, and why. */
export interface Turn {
  /** Number of the step, from 1; undefined when no step was for this request. */
  readonly step: number | undefined;
  /** Which time this step was taken, from 1. */
  readonly time: number;
  /** The step had no times left, and repeats because it is the last one for this event. */
  readonly repeats: boolean;
  readonly delayMs: number;
  readonly behavior: Behavior;
}

export interface Request {
  /** The event's `type`; undefined when there is none, or when it is not read yet. */
  readonly type?: string | undefined;
}

/**
 * The next turn of a script. Pure: the same script, playhead, request and seed give the same turn, chances and delays
 * included, so every back-end plays a script alike.
 */
export function play(
  script: Script,
  playhead: Playhead,
  request: Request,
  seed = 0,
): { turn: Turn; playhead: Playhead } {
  const index = choose(script, playhead, request, seed);
  const step = index === undefined ? undefined : script[index];
  if (index === undefined || step === undefined) {
    return { turn: UNSCRIPTED, playhead: { ...playhead, requests: playhead.requests + 1 } };
  }
  const before = playhead.taken[index] ?? 0;
  const turn: Turn = {
    step: index + 1,
    time: before + 1,
    repeats: before >= timesOf(step),
    delayMs: sampleDelay(step.delay, drawOf(step, index, playhead, seed, 'delay')),
    behavior: behaviorOf(step),
  };
  return {
    turn,
    playhead: {
      requests: playhead.requests + 1,
      taken: script.map((_, at) => (playhead.taken[at] ?? 0) + (at === index ? 1 : 0)),
    },
  };
}

const UNSCRIPTED: Turn = {
  step: undefined,
  time: 1,
  repeats: false,
  delayMs: 0,
  behavior: behaviorOf({ status: 200 }),
};

/** The first step for this event that has times left and whose chance comes up; the last one for it never runs out. */
function choose(script: Script, playhead: Playhead, { type }: Request, seed: number): number | undefined {
  const own = [...script.entries()].filter(([, step]) => isFor(step, type));
  const last = own.at(-1)?.[0];
  const found = own.find(([index, step]) => {
    const open = index === last || (playhead.taken[index] ?? 0) < timesOf(step);
    return open && comesUp(step, drawOf(step, index, playhead, seed, 'chance'));
  });
  return found?.[0];
}

function isFor({ on }: Step, type: string | undefined): boolean {
  return on === undefined || on.some((wanted) => wanted === type);
}

function timesOf({ times }: Step): number {
  return times === 'always' ? Number.POSITIVE_INFINITY : (times ?? 1);
}

function comesUp({ chance }: Step, draw: Draw): boolean {
  return chance === undefined || draw(0) < Number.parseFloat(chance) / 100;
}

/** Chance and delay draw from different numbers, so that a rare step is not always a slow one. */
function drawOf(step: Step, index: number, { requests }: Playhead, seed: number, purpose: 'chance' | 'delay'): Draw {
  return drawAt(seed, step.seed ?? 0, index, requests, purpose === 'chance' ? 1 : 2);
}
