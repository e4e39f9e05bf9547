import { type Fields, fieldsOf, listOf, textOf } from '../ui/json-fields.ts';

/** The rules of a plan are JSON Schemas that people may write by hand: the form changes what it shows, and keeps the rest. */
export type Rules = Fields;

/** The rule of one tracked event, as the form shows it. */
export interface EventRule {
  readonly name: string;
  readonly properties: readonly PropertyRule[];
}

export interface PropertyRule {
  readonly name: string;
  /** Empty for any type, and for what only JSON can say. */
  readonly type: string;
  readonly isRequired: boolean;
}

export const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;

export function eventsOf(rules: Rules): readonly EventRule[] {
  return listOf(rules['events']).map((event) => {
    const { name, rules: rule } = fieldsOf(event);
    const schema = propertiesSchema(rule);
    const required = listOf(schema['required']);
    const properties = Object.entries(fieldsOf(schema['properties'])).map(([property, inner]) => ({
      name: property,
      type: textOf(fieldsOf(inner)['type']),
      isRequired: required.includes(property),
    }));
    return { name: textOf(name), properties };
  });
}

/** The rules with this event in the place of the one there; a place at the end adds it. */
export function withEvent(rules: Rules, index: number, { name, properties }: EventRule): Rules {
  const events = [...listOf(rules['events'])];
  const before = fieldsOf(events[index] ?? { version: 1 });
  events[index] = { ...before, name, rules: withProperties(fieldsOf(before['rules']), properties) };
  return { ...rules, events };
}

export function withoutEvent(rules: Rules, index: number): Rules {
  return { ...rules, events: listOf(rules['events']).toSpliced(index, 1) };
}

function withProperties(rule: Rules, properties: readonly PropertyRule[]): Rules {
  const schema = propertiesSchema(rule);
  const known = fieldsOf(schema['properties']);
  const inner = properties.map(({ name, type }) => {
    const { type: _type, ...rest } = fieldsOf(known[name]);
    const kept = Array.isArray(_type) && type === '' ? { type: _type } : {};
    return [name, type === '' ? { ...rest, ...kept } : { ...rest, type }] as const;
  });
  const required = properties.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const { required: _required, ...others } = schema;
  const next = { type: 'object', ...others, properties: Object.fromEntries(inner) };
  return {
    type: 'object',
    ...rule,
    properties: { ...fieldsOf(rule['properties']), properties: required.length === 0 ? next : { ...next, required } },
  };
}

/** What a rule says of the properties of its event. */
function propertiesSchema(rule: unknown): Rules {
  return fieldsOf(fieldsOf(fieldsOf(rule)['properties'])['properties']);
}
