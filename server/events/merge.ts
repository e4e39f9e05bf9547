import type { JsonObject } from '../model/message.ts';
import { isObject } from './json-values.ts';

/** How far objects within objects are merged; below, the event's own value stands. A bound, so that no depth sent is one too many. */
const DEPTH = 8;

/**
 * An event's own values over those of its batch; objects that both have are merged in the same way. Neither is changed.
 * A key `__proto__` stays what it is in JSON, a plain value: spreading makes it so, and nothing is added afterwards.
 */
export function mergeUnder(batch: JsonObject | undefined, own: JsonObject | undefined, depth = DEPTH): JsonObject {
  if (batch === undefined) return own ?? {};
  if (own === undefined) return batch;
  const merged = { ...batch, ...own };
  if (depth === 0) return merged;
  for (const key of Object.keys(batch)) {
    if (!Object.hasOwn(own, key)) continue;
    const [theirs, ours] = [batch[key], own[key]];
    if (isObject(theirs) && isObject(ours)) merged[key] = mergeUnder(theirs, ours, depth - 1);
  }
  return merged;
}

/**
 * As `mergeUnder`; but null says nothing of a destination, so the batch's word stands, and an event's own `all` also
 * stands over the batch's `All`: they mean the same (D-45).
 */
export function mergeIntegrations(batch: JsonObject | undefined, own: JsonObject | undefined): JsonObject | undefined {
  if (batch === undefined || own === undefined) return own ?? batch;
  const said: JsonObject = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null));
  if (said['all'] === undefined && said['All'] === undefined) return mergeUnder(batch, said);
  const { all: _all, All: _All, ...rest } = batch;
  return mergeUnder(rest, said);
}
