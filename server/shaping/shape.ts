import { Budget, decided } from '../evaluation/budget.ts';
import { spendOnJson } from '../evaluation/json-steps.ts';
import { FIELD_STEPS, onlyListed, withoutListed } from '../filters/field-lists.ts';
import { valueOf } from '../fql/evaluate.ts';
import { isObject } from '../model/json-values.ts';
import type { JsonObject } from '../model/message.ts';
import type { Operation, Path } from './read-shape.ts';

/** What a destination does with bodies before they are signed. */
export type Shape = readonly Operation[];

/** Of a body that a shape may make: about 64 KB, where an event has at most 32. */
const OUTPUT_STEPS = 150_000;

/** What is left of a body where it cannot be told what the shape would leave: nothing of the customer's. */
const REDUCED = ['version', 'type', 'messageId', 'timestamp'];

export interface Shaped {
  readonly body: JsonObject;
  /** Its steps were used up, or what it makes is too large: the body is reduced (SAFE-2). */
  readonly undecided: boolean;
}

/**
 * The body as a shape leaves it. Pure: the same for the same body, so that a retry sends the same bytes. An operation that does
 * not fit a body does nothing; it never fails. A notice of a deleted user stays whole (HOOK-16).
 */
export function shaped(shape: Shape, body: JsonObject, budget: Budget): Shaped {
  if (body['type'] === 'delete') return { body, undecided: false };
  const result = decided(() => {
    const left = shape.reduce((now, operation) => applied(operation, now, budget), body);
    spendOnJson(left, new Budget(OUTPUT_STEPS));
    return left;
  });
  if (result !== 'undecided') return { body: result, undecided: false };
  const reduced = Object.entries(body).filter(([field]) => REDUCED.includes(field));
  return { body: Object.fromEntries(reduced), undecided: true };
}

function applied(operation: Operation, body: JsonObject, budget: Budget): JsonObject {
  switch (operation.op) {
    case 'keep':
      return onlyListed(body, operation.listed, budget, 'lists too');
    case 'drop':
      return withoutListed(body, operation.listed, budget, 'lists too');
    case 'rename': {
      const value = found(body, operation.from);
      if (value === null) return body;
      return withValue(withoutPath(body, operation.from, budget), operation.to, value, budget) ?? body;
    }
    case 'set': {
      const value = valueOf(operation.value, body, budget);
      return value === null || value === undefined ? body : (withValue(body, operation.path, value, budget) ?? body);
    }
  }
}

/** Null where there is nothing. Through objects alone: a list is a value of its own. */
function found(body: JsonObject, path: Path): unknown {
  let value: unknown = body;
  for (const step of path) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return null;
    value = value[step];
  }
  return value ?? null;
}

function withoutPath(object: JsonObject, [step = '', ...rest]: Path, budget: Budget): JsonObject {
  const entries = entriesOf(object, budget);
  if (rest.length === 0) return Object.fromEntries(entries.filter(([field]) => field !== step));
  const inner = object[step];
  return isObject(inner) ? withField(object, step, withoutPath(inner, rest, budget)) : object;
}

/** Objects on the way are made. Undefined where something else is in the way. */
function withValue(
  object: JsonObject,
  [step = '', ...rest]: Path,
  value: unknown,
  budget: Budget,
): JsonObject | undefined {
  entriesOf(object, budget);
  if (rest.length === 0) return withField(object, step, value);
  const inner = found(object, [step]) ?? {};
  const changed = isObject(inner) ? withValue(inner, rest, value, budget) : undefined;
  return changed && withField(object, step, changed);
}

function entriesOf(object: JsonObject, budget: Budget): [string, unknown][] {
  const entries = Object.entries(object);
  budget.spend(FIELD_STEPS * entries.length);
  return entries;
}

/** A computed name makes a field of its own, also where it is `__proto__`. */
function withField(object: JsonObject, field: string, value: unknown): JsonObject {
  return { ...object, [field]: value };
}
