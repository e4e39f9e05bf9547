import { randomBytes } from 'node:crypto';
import type { Step } from './differences.ts';

/**
 * A write key belongs to one source: it leaves before another gets it. A source that gets one as well, as in a chain or a ring, or
 * that is deleted after all else, lets go of its own in a step before. Those that get keys follow at once: until then a key is nobody's,
 * and what senders send with it is refused.
 */
export function keysInTurn(steps: readonly Step[]): readonly Step[] {
  const wanted = new Set(steps.flatMap(gained));
  const leaving = steps.filter((step) => lost(step).some((key) => wanted.has(key)));
  const takenBy = new Set(leaving.flatMap(lost));
  const whole = new Set(leaving.filter((step) => !isInTheWay(step, takenBy)));
  const left = steps.filter((step) => !whole.has(step));
  const isMoved = (step: Step): boolean => gained(step).some((key) => takenBy.has(key));
  return [
    ...leaving.map((step) => ({ ...(whole.has(step) ? step : lettingGo(step)), isFirst: true })),
    ...left.filter(isMoved),
    ...left.filter((step) => !isMoved(step)),
  ];
}

/** It cannot be taken before other keys have left. */
function isInTheWay(step: Step, leaving: ReadonlySet<string>): boolean {
  return step.action === 'delete' || gained(step).some((key) => leaving.has(key));
}

function lettingGo(step: Step): Step {
  const gone = new Set(lost(step));
  const kept = keysOf(step.before).filter((key) => !gone.has(key));
  // A source has one key at least: until its next step, one that nobody knows.
  const write_keys = kept.length > 0 ? kept : [`none-${randomBytes(20).toString('hex')}`];
  return { ...step, action: 'update', fields: { write_keys } };
}

function lost({ action, fields, before }: Step): readonly string[] {
  if (action === 'delete') return keysOf(before);
  return fields['write_keys'] === undefined ? [] : without(keysOf(before), keysOf(fields));
}

function gained({ fields, before }: Step): readonly string[] {
  return without(keysOf(fields), keysOf(before));
}

function without(keys: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Set(others);
  return keys.filter((key) => !left.has(key));
}

function keysOf({ write_keys: keys }: Step['fields']): readonly string[] {
  return Array.isArray(keys) ? keys.map(String) : [];
}
