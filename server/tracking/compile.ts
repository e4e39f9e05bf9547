import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { MANY_VALUES } from './limits.ts';
import { createPatternEngine, type PatternEngine } from './pattern.ts';
import type { CleanSchema, ReadSchema } from './read-schema.ts';
import { createUniqueItems } from './unique-items.ts';

/** A rule, ready to check events. */
export interface CompiledRule {
  /** What is wrong with a value; of one with very many values perhaps the first fault alone. */
  readonly errorsOf: (value: unknown) => readonly ErrorObject[];
  /** Whether `errorsOf` tells all of them for this value. */
  readonly tellsAll: (value: unknown) => boolean;
}

/** Checks of single values; those left out accept any text. Each takes a time that grows with the text. */
const PLAIN_FORMATS = ['uri', 'uri-reference', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid', 'duration'] as const;
const TIME_FORMATS = ['date', 'time', 'date-time'] as const;

/** What makes the rules of one plan ready; they share what each of them would else hold for itself. */
export type RuleCompiler = (read: ReadSchema) => CompiledRule;

export function createRuleCompiler(): RuleCompiler {
  const engine = createPatternEngine();
  const ajv = { all: createAjv(engine, true), first: createAjv(engine, false) };
  return ({ schema, repeats }) => {
    const first = ready(ajv.first, schema);
    let all: ValidateFunction | undefined;
    const tellsAll = (value: unknown): boolean => !repeats || !hasMoreValues(value, MANY_VALUES);
    return {
      tellsAll,
      errorsOf: (value) => {
        engine.refill();
        // Most events are as planned: what tells all faults is asked, and made, only where there is one.
        if (first(value)) return [];
        if (!tellsAll(value)) return first.errors ?? [];
        all ??= allOrFirst(ajv.all, schema, first);
        engine.refill();
        return all(value) ? [] : (all.errors ?? []);
      },
    };
  };
}

/** What is compiled is parsed at its first call, where a rule of very many parts can exhaust the stack: better now. */
function ready(ajv: Ajv, schema: CleanSchema): ValidateFunction {
  const validate = ajv.compile(schema);
  validate(undefined);
  return validate;
}

/** Where all faults cannot be told the first has to do: by then events are being judged. */
function allOrFirst(ajv: Ajv, schema: CleanSchema, first: ValidateFunction): ValidateFunction {
  try {
    return ready(ajv, schema);
  } catch {
    return first;
  }
}

function createAjv(engine: PatternEngine, allErrors: boolean): Ajv {
  // The schema was read by us, so that Ajv has nothing to judge: keywords that are not known are out, and so are references.
  const judging = { strict: false, validateSchema: false, meta: false, logger: false } as const;
  const regExp = Object.assign((text: string) => engine.of(text), { code: 'patterns' });
  // A field named like one that all objects inherit (`constructor`) is there only when it was sent.
  const ajv = new Ajv({ ...judging, allErrors, ownProperties: true, code: { regExp } });
  addFormats.default(ajv, { mode: 'fast', formats: [...PLAIN_FORMATS] });
  addFormats.default(ajv, { mode: 'full', formats: [...TIME_FORMATS] });
  const hasUniqueItems = createUniqueItems();
  return ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isAsked: boolean, list: unknown[]) => !isAsked || hasUniqueItems(list),
    error: { message: 'must have no two equal items' },
  });
}

function hasMoreValues(value: unknown, most: number): boolean {
  let seen = 0;
  const stack = [value];
  while (stack.length > 0) {
    seen += 1;
    if (seen > most) return true;
    const next = stack.pop();
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) stack.push(inner);
  }
  return false;
}
