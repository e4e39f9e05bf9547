import { spendOnJson } from '../evaluation/json-steps.ts';
import { below, type Check, untold, wrong } from './check.ts';
import type { CleanSchema } from './read-schema.ts';
import { type Fields, numberIn, schemaIn, schemasIn } from './schema-parts.ts';
import { createUniqueItems } from './unique-items.ts';

type Build = (schema: CleanSchema) => Check;

/** What a schema says of lists. */
export function listChecks(schema: Fields, build: Build): Check[] {
  const checks: Check[] = [];
  const [most, least] = [numberIn(schema, 'maxItems'), numberIn(schema, 'minItems')];
  if (most !== undefined) checks.push(sizeCheck((size) => size <= most, `more than ${most}`));
  if (least !== undefined) checks.push(sizeCheck((size) => size >= least, `fewer than ${least}`));
  if (schema['uniqueItems'] === true) checks.push(uniqueCheck());
  const [each, positions] = [schemaIn(schema, 'items'), schemasIn(schema, 'items')];
  if (each !== undefined) checks.push(itemsCheck(build(each), 0));
  if (positions !== undefined) checks.push(...positionChecks(schema, positions, build));
  const contained = schemaIn(schema, 'contains');
  if (contained !== undefined) checks.push(containsCheck(build(contained)));
  return checks;
}

function sizeCheck(holds: (size: number) => boolean, words: string): Check {
  const message = `must NOT have ${words} items`;
  return (value, at, run) =>
    !Array.isArray(value) || holds(value.length) || wrong(run, at, 'value_not_allowed', message);
}

function uniqueCheck(): Check {
  const hasUniqueItems = createUniqueItems();
  return (value, at, run) => {
    if (!Array.isArray(value)) return true;
    // It is written out, in the order of its fields: about twice what writing it takes.
    spendOnJson(value, run.budget);
    spendOnJson(value, run.budget);
    return hasUniqueItems(value) || wrong(run, at, 'value_not_allowed', 'must have no two equal items');
  };
}

function positionChecks(schema: Fields, positions: readonly CleanSchema[], build: Build): Check[] {
  const checks = positions.map(build);
  const rest = schemaIn(schema, 'additionalItems');
  const inOrder: Check = (value, at, run) => {
    if (!Array.isArray(value)) return true;
    let holds = true;
    for (const [index, check] of checks.entries()) {
      if (index >= value.length) break;
      if (!check(value[index], below(at, index, run), run)) holds = false;
      if (!holds && run.faults === undefined) return false;
    }
    return holds;
  };
  if (rest === undefined) return [inOrder];
  const size = positions.length;
  return [inOrder, rest === false ? noFurther(size) : itemsCheck(build(rest), size)];
}

function noFurther(size: number): Check {
  const message = `must NOT have more than ${size} items`;
  return (value, at, run) => !Array.isArray(value) || value.length <= size || wrong(run, at, 'rule_violated', message);
}

function itemsCheck(check: Check, from: number): Check {
  return (value, at, run) => {
    if (!Array.isArray(value)) return true;
    let holds = true;
    for (let index = from; index < value.length; index += 1) {
      if (check(value[index], below(at, index, run), run)) continue;
      if (run.faults === undefined) return false;
      holds = false;
    }
    return holds;
  };
}

function containsCheck(check: Check): Check {
  return (value, at, run) => {
    if (!Array.isArray(value)) return true;
    const quiet = untold(run);
    return (
      value.some((item) => check(item, undefined, quiet)) ||
      wrong(run, at, 'rule_violated', 'must contain at least 1 valid item(s)')
    );
  };
}
