import type { ErrorObject } from 'ajv';
import type { ViolationKind } from '../ports/violations.ts';
import { pointerSteps } from './reference.ts';

/** What one error of a check says of an event. */
export interface Fault {
  readonly kind: ViolationKind;
  /** Keys and positions from the event down to what is wrong, or missing. */
  readonly steps: readonly string[];
  /** What it must be; never what it is. */
  readonly message: string;
  /** False where the fault is that something is not there. */
  readonly isThere: boolean;
}

const KINDS: Readonly<Record<string, ViolationKind>> = {
  required: 'required_missing',
  dependencies: 'required_missing',
  type: 'type_mismatch',
  additionalProperties: 'unplanned_property',
  propertyNames: 'unplanned_property',
  not: 'rule_violated',
  anyOf: 'rule_violated',
  oneOf: 'rule_violated',
  contains: 'rule_violated',
  additionalItems: 'rule_violated',
  'false schema': 'rule_violated',
};

/** Their branches say in detail what they say as a whole. */
const WHOLES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'contains', 'propertyNames']);

/** One fault for each error that says something of its own. */
export function faultsOf(errors: readonly ErrorObject[]): Fault[] {
  const wholes = errors.filter(({ keyword }) => WHOLES.has(keyword)).map(({ schemaPath }) => `${schemaPath}/`);
  return errors
    .filter(({ keyword, schemaPath }) => keyword !== 'if' && !wholes.some((whole) => schemaPath.startsWith(whole)))
    .map(toFault);
}

function toFault({ keyword, instancePath, params, message = 'must be as the rule says' }: ErrorObject): Fault {
  const within = pointerSteps(instancePath);
  const named: unknown = params['missingProperty'] ?? params['additionalProperty'] ?? params['propertyName'];
  const steps = typeof named === 'string' ? [...within, named] : within;
  const kind = kindOf(keyword, steps);
  return { kind, steps, message: messageOf(keyword, message), isThere: kind !== 'required_missing' };
}

function kindOf(keyword: string, [group = '', ...below]: readonly string[]): ViolationKind {
  const kind = Object.hasOwn(KINDS, keyword) ? KINDS[keyword] : undefined;
  if (kind !== 'unplanned_property') return kind ?? 'value_not_allowed';
  if (below.length === 0 || (group !== 'properties' && group !== 'traits')) return 'rule_violated';
  return group === 'traits' ? 'unplanned_trait' : kind;
}

function messageOf(keyword: string, message: string): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not allowed';
  return keyword === 'propertyNames' ? 'has a name that is not allowed' : message;
}
