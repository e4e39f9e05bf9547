import { isObject } from '../model/json-values.ts';
import { below, type Check, missing, type Place, type Run, unplanned, untold, wrong } from './check.ts';
import type { Pattern, Patterns } from './pattern.ts';
import type { CleanSchema } from './read-schema.ts';
import { entriesIn, type Fields, isSchema, namesIn, numberIn, schemaEntriesIn, schemaIn } from './schema-parts.ts';

type Build = (schema: CleanSchema) => Check;

/** Of each key of an object that is gone through. */
const KEY_STEPS = 16;

/** What a schema says of objects. */
export function objectChecks(schema: Fields, build: Build, patterns: Patterns): Check[] {
  const checks: Check[] = [];
  const [most, least] = [numberIn(schema, 'maxProperties'), numberIn(schema, 'minProperties')];
  if (most !== undefined) checks.push(sizeCheck((size) => size <= most, `more than ${most}`));
  if (least !== undefined) checks.push(sizeCheck((size) => size >= least, `fewer than ${least}`));
  const required = namesIn(schema['required']);
  if (required.length > 0) checks.push(requiredCheck(required, () => 'is required'));
  for (const [name, dependency] of entriesIn(schema, 'dependencies')) {
    checks.push(dependencyCheck(name, dependency, build));
  }
  const names = schemaIn(schema, 'propertyNames');
  if (names !== undefined) checks.push(namesCheck(build(names)));
  checks.push(...fieldChecks(schema, build, patterns));
  return checks;
}

function sizeCheck(holds: (size: number) => boolean, words: string): Check {
  const message = `must NOT have ${words} properties`;
  return (value, at, run) =>
    !isObject(value) || holds(keysOf(value, run).length) || wrong(run, at, 'value_not_allowed', message);
}

function requiredCheck(names: readonly string[], messageOf: (name: string) => string): Check {
  return (value, at, run) => {
    if (!isObject(value)) return true;
    let holds = true;
    for (const name of names) {
      if (has(value, name)) continue;
      holds = missing(run, at, name, messageOf(name));
      if (run.faults === undefined) return false;
    }
    return holds;
  };
}

function dependencyCheck(name: string, dependency: unknown, build: Build): Check {
  const names = namesIn(dependency);
  const words = names.length === 1 ? 'property' : 'properties';
  const message = `must have ${words} ${names.join(', ')} when property ${name} is present`;
  const check = isSchema(dependency) ? build(dependency) : requiredCheck(names, () => message);
  return (value, at, run) => !isObject(value) || !has(value, name) || check(value, at, run);
}

function namesCheck(check: Check): Check {
  return eachKey((value, key, at, run) => {
    if (check(key, undefined, untold(run))) return true;
    return unplanned(run, at, key, 'has a name that is not allowed');
  });
}

/** `properties`, `patternProperties` and `additionalProperties`, which says of all that the other two do not name. */
function fieldChecks(schema: Fields, build: Build, patterns: Patterns): Check[] {
  const named = new Map(schemaEntriesIn(schema, 'properties').map(([name, inner]) => [name, build(inner)]));
  const matched = schemaEntriesIn(schema, 'patternProperties').map(
    ([text, inner]) => [patterns.of(text, 'patternProperties'), build(inner)] as const,
  );
  const others = schemaIn(schema, 'additionalProperties');
  const checks: Check[] = [];
  if (others !== undefined && others !== true) {
    const isOther = otherKeys(
      named,
      matched.map(([pattern]) => pattern),
    );
    checks.push(othersCheck(isOther, others === false ? undefined : build(others)));
  }
  if (named.size > 0) checks.push(namedCheck([...named]));
  for (const [pattern, check] of matched) {
    checks.push(
      eachKey((value, key, at, run) => !pattern.test(key, run.budget) || check(value[key], below(at, key, run), run)),
    );
  }
  return checks;
}

type IsOther = (key: string, run: Run) => boolean;

function otherKeys(named: ReadonlyMap<string, Check>, patterns: readonly Pattern[]): IsOther {
  return (key, { budget }) => !named.has(key) && !patterns.some(({ test }) => test(key, budget));
}

/** Without a check nothing further may be there. */
function othersCheck(isOther: IsOther, check: Check | undefined): Check {
  return eachKey((value, key, at, run) => {
    if (!isOther(key, run)) return true;
    if (check === undefined) return unplanned(run, at, key, 'is not allowed');
    return check(value[key], below(at, key, run), run);
  });
}

function namedCheck(named: readonly (readonly [string, Check])[]): Check {
  return (value, at, run) => {
    if (!isObject(value)) return true;
    let holds = true;
    for (const [name, check] of named) {
      if (!has(value, name) || check(value[name], below(at, name, run), run)) continue;
      if (run.faults === undefined) return false;
      holds = false;
    }
    return holds;
  };
}

function eachKey(holdsFor: (value: Fields, key: string, at: Place | undefined, run: Run) => boolean): Check {
  return (value, at, run) => {
    if (!isObject(value)) return true;
    let holds = true;
    for (const key of keysOf(value, run)) {
      if (holdsFor(value, key, at, run)) continue;
      if (run.faults === undefined) return false;
      holds = false;
    }
    return holds;
  };
}

function keysOf(value: Fields, { budget }: Run): string[] {
  const keys = Object.keys(value);
  budget.spend(KEY_STEPS * keys.length);
  return keys;
}

/** A field named like one that all objects inherit (`constructor`) is there only when it was sent. */
function has(value: Fields, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}
