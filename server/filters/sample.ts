import { createHash } from 'node:crypto';
import { toldAbout } from '../audiences/identify-call.ts';
import type { Budget } from '../evaluation/budget.ts';
import { spendOnJson } from '../evaluation/json-steps.ts';
import { valueAt } from '../fql/evaluate.ts';
import { splitPath, unescape } from '../fql/tokenize.ts';
import type { FilterAction } from '../model/resources.ts';
import type { Event } from '../model/message.ts';

/**
 * Whether an event is of the share that passes. With a path, events with the same value there all pass or all do not;
 * without one, or without a value, each is for itself, and all that an audience tells of a user is one: who hears that a user
 * entered hears that it left (AUD-8). Always the same answer for the same event, so that a repeat fares as the first did;
 * different for each filter, so that two in a row do not choose the same events.
 */
export function isSampled(
  event: Event,
  { percent = 1, path = '' }: FilterAction,
  filter: string,
  budget: Budget,
): boolean {
  budget.spend(HASH_STEPS);
  const value = path === '' ? null : valueAt(event, splitPath(path).map(unescape));
  const own = toldAbout(event) ?? event.messageId;
  spendOnJson(value ?? own, budget);
  const key = value === null ? own : JSON.stringify(value);
  return fraction(`${filter} ${key}`) < percent;
}

/** What a hash takes whatever it is of. */
const HASH_STEPS = 400;

/** A text as a number that is spread evenly over [0, 1). */
function fraction(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;
}
