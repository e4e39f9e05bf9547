import type { Budget } from '../evaluation/budget.ts';
import { allOf, type Check, type Fault, untold, wrong } from './check.ts';
import { listChecks } from './list-checks.ts';
import { objectChecks } from './object-checks.ts';
import type { Patterns } from './pattern.ts';
import type { CleanSchema } from './read-schema.ts';
import { entriesIn, type Fields, namesIn, schemaIn, schemasIn } from './schema-parts.ts';
import { choiceCheck, numberChecks, textChecks, typeCheck } from './value-checks.ts';

/** A rule, ready to check events. */
export interface CompiledRule {
  /** All that is wrong with a value. Throws OverBudget where that takes too long. */
  readonly faultsOf: (value: unknown, budget: Budget) => readonly Fault[];
}

/**
 * Makes a rule ready, as a tree of functions that pay for what they do: what a validator compiles to code takes up to
 * seconds to be compiled, and nothing ends it once it runs (decisions/017).
 */
export function compileRule(schema: CleanSchema, patterns: Patterns): CompiledRule {
  const check = checkOf(schema, patterns);
  return {
    faultsOf: (value, budget) => {
      // Most events are as planned: what is wrong is asked only where something is.
      if (check(value, undefined, { budget, faults: undefined })) return [];
      const faults: Fault[] = [];
      check(value, undefined, { budget, faults });
      return faults;
    },
  };
}

const holdsAlways: Check = () => true;
const holdsNever: Check = (_value, at, run) => wrong(run, at, 'rule_violated', 'boolean schema is false');

/** What each schema takes that is asked, and each of its names and keywords. */
const SCHEMA_STEPS = 12;
const PART_STEPS = 8;

function checkOf(schema: CleanSchema, patterns: Patterns): Check {
  if (typeof schema === 'boolean') return schema ? holdsAlways : holdsNever;
  const build = (inner: CleanSchema): Check => checkOf(inner, patterns);
  const checks = [
    ...(schema['type'] === undefined ? [] : [typeCheck([schema['type']].flat().map(String))]),
    ...numberChecks(schema),
    ...textChecks(schema, patterns),
    ...choiceChecks(schema),
    ...wholeChecks(schema, build),
    ...listChecks(schema, build),
    ...objectChecks(schema, build, patterns),
  ];
  if (checks.length === 0) return holdsAlways;
  const named = ['properties', 'dependencies'].reduce((sum, map) => sum + entriesIn(schema, map).length, 0);
  const steps = SCHEMA_STEPS + PART_STEPS * (checks.length + named + namesIn(schema['required']).length);
  const check = allOf(checks);
  return (value, at, run) => {
    run.budget.spend(steps);
    return check(value, at, run);
  };
}

function choiceChecks(schema: Fields): Check[] {
  const choices: unknown = schema['enum'];
  return [
    ...('const' in schema ? [choiceCheck([schema['const']], 'must be equal to constant')] : []),
    ...(Array.isArray(choices) ? [choiceCheck(choices, 'must be equal to one of the allowed values')] : []),
  ];
}

/** What is put together of other schemas. Of those that are tried, faults are not told: the whole says what is wrong. */
function wholeChecks(schema: Fields, build: (schema: CleanSchema) => Check): Check[] {
  const [not, when] = [schemaIn(schema, 'not'), schemaIn(schema, 'if')];
  const [anyOf, oneOf] = [schemasIn(schema, 'anyOf')?.map(build), schemasIn(schema, 'oneOf')?.map(build)];
  const checks: Check[] = [];
  if (not !== undefined) checks.push(exactly((count) => count === 0, [build(not)], 'must NOT be valid'));
  if (anyOf !== undefined) checks.push(exactly((count) => count > 0, anyOf, 'must match a schema in anyOf'));
  if (oneOf !== undefined)
    checks.push(exactly((count) => count === 1, oneOf, 'must match exactly one schema in oneOf'));
  checks.push(...(schemasIn(schema, 'allOf') ?? []).map(build));
  if (when !== undefined) {
    const [then, otherwise] = [schemaIn(schema, 'then') ?? true, schemaIn(schema, 'else') ?? true];
    checks.push(conditional(build(when), build(then), build(otherwise)));
  }
  return checks;
}

function exactly(isEnough: (count: number) => boolean, checks: readonly Check[], message: string): Check {
  const needsAll = !isEnough(2);
  return (value, at, run) => {
    const quiet = untold(run);
    let count = 0;
    for (const check of checks) {
      if (check(value, undefined, quiet)) count += 1;
      if (count > (needsAll ? 1 : 0)) break;
    }
    return isEnough(count) || wrong(run, at, 'rule_violated', message);
  };
}

function conditional(when: Check, then: Check, otherwise: Check): Check {
  return (value, at, run) => (when(value, undefined, untold(run)) ? then : otherwise)(value, at, run);
}
