import { inspect } from 'node:util';
import type { Word } from './step.ts';

/** One thing that is wrong inside a step; whoever knows where the step stands makes a ScriptError of it. */
export class Complaint extends Error {
  override readonly name = 'Complaint';
  /** The word that it is about, when it is about one. */
  readonly word: Word | undefined;

  constructor(message: string, word?: Word) {
    super(message);
    this.word = word;
  }
}

export interface Place {
  /** Number of the step, from 1. */
  readonly step: number;
  /** The step as it was written. */
  readonly seen: string;
  /** Column of the short form, from 1. The data form has none. */
  readonly column?: number;
}

const MAX_SEEN = 80;

/** Any value, on one line, for a message. */
export function show(value: unknown): string {
  return inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 3 });
}

/** A fault script that cannot be played: names the column, the step that was seen, what is wrong and what to write. */
export class ScriptError extends Error implements Place {
  override readonly name = 'ScriptError';
  readonly step: number;
  readonly seen: string;
  readonly column?: number;

  constructor(place: Place, wrong: string, options?: ErrorOptions) {
    const column = place.column === undefined ? '' : `column ${place.column}, `;
    const seen = place.seen.length > MAX_SEEN ? `${place.seen.slice(0, MAX_SEEN)}…` : place.seen;
    super(`Bad fault script at ${column}step ${place.step} (${seen}): ${wrong}`, options);
    this.step = place.step;
    this.seen = place.seen;
    if (place.column !== undefined) this.column = place.column;
  }
}
