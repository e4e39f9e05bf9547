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
  /** What else its schema says, also under another name. */
  readonly schema: Fields;
}

export const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;

export function eventsOf(rules: Rules): readonly EventRule[] {
  return listOf(rules['events']).map((event) => {
    const { name, rules: rule } = fieldsOf(event);
    const schema = propertiesSchema(rule);
    const required = listOf(schema['required']);
    const properties = Object.entries(fieldsOf(schema['properties'])).map(([property, inner]) => {
      const type = textOf(fieldsOf(inner)['type']);
      const { type: _type, ...others } = fieldsOf(inner);
      return {
        name: property,
        type,
        isRequired: required.includes(property),
        schema: type === '' ? fieldsOf(inner) : others,
      };
    });
    return { name: textOf(name), properties };
  });
}

/** Those that rules can hold: each has a name, which no other one before it has. */
export function plannedOf(properties: readonly PropertyRule[]): readonly PropertyRule[] {
  const names = properties.map(({ name }) => name);
  return properties.filter(({ name }, index) => name !== '' && names.indexOf(name) === index);
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
  const inner = properties.map(
    ({ name, type, schema: others }) => [name, type === '' ? others : { ...others, type }] as const,
  );
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
