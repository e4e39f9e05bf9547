import { isObject } from '../model/json-values.ts';
import { redactedSetting, redactedText } from '../destinations/redacted-settings.ts';
import { type Document, lookUp, type Operation, type Schema } from '../http/document.ts';

/** How the kinds of secrets that the document marks with `x-secret` are shown. */
const SHOWN: Readonly<Record<string, (value: unknown) => unknown>> = {
  text: redactedText,
  setting: (value) => (isSetting(value) ? redactedSetting(value) : value),
};

/**
 * What a caller without write scope sees of an answer (D-15); the very same answer where it holds no secret. The document
 * alone says what is secret: so a field that is added is covered by its mark, whichever operations answer it.
 */
export function createRedaction({ components: { schemas = {} } }: Document): Redaction {
  return (answer, { answerSchema }) => redacted(answer, answerSchema, schemas);
}

type Redaction = (answer: unknown, operation: Pick<Operation, 'answerSchema'>) => unknown;

type Schemas = Readonly<Record<string, Schema>>;

/** The very same value where it holds no secret. */
function redacted(value: unknown, reference: unknown, schemas: Schemas): unknown {
  const schema = isObject(reference) ? lookUp(schemas, reference) : {};
  const mark = schema['x-secret'];
  if (typeof mark === 'string') return showAs(mark)(value);
  const parts = [schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  const whole = parts.reduce<unknown>((seen, part) => redacted(seen, part, schemas), value);
  if (Array.isArray(whole)) return items(whole, schema['items'], schemas);
  return isObject(whole) ? fields(whole, schema, schemas) : whole;
}

function items(list: readonly unknown[], schema: unknown, schemas: Schemas): readonly unknown[] {
  if (!isObject(schema)) return list;
  const after = list.map((item) => redacted(item, schema, schemas));
  return after.every((item, index) => item === list[index]) ? list : after;
}

function fields(value: Schema, { properties, additionalProperties }: Schema, schemas: Schemas): Schema {
  const known = isObject(properties) ? properties : {};
  const after = Object.entries(value).map(([name, inner]) => {
    const schema = Object.hasOwn(known, name) ? known[name] : additionalProperties;
    return [name, isObject(schema) ? redacted(inner, schema, schemas) : inner] as const;
  });
  return after.every(([name, inner]) => inner === value[name]) ? value : Object.fromEntries(after);
}

function showAs(mark: string): (value: unknown) => unknown {
  const show = Object.hasOwn(SHOWN, mark) ? SHOWN[mark] : undefined;
  if (show === undefined) throw new Error(`the document marks a secret as ${mark}, which is not known here`);
  return show;
}

function isSetting(value: unknown): value is Parameters<typeof redactedSetting>[0] {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['type'] === 'string';
}
