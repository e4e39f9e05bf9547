import type { Document, Schema } from '../../server/http/document.ts';
import { bodyShapeOf } from '../contract/body-shape.ts';
import { isObject, resolved } from '../contract/schemas.ts';

/** What a file may leave to the machine that it is applied on. */
const REFERENCE = { type: 'string', pattern: '\\$\\{(env|file):' };
const ID = '[A-Za-z0-9][A-Za-z0-9._-]{0,99}';
const SLUG = `^${ID}$`;
const SOURCES = namesOf(SLUG, 'the slug of a source');
const DESTINATIONS = namesOf(`^${ID}/${ID}$`, 'of the form source/destination');

const WHOSE_EVENTS = 'Slugs of sources of the workspace; absent, the events of all of them count.';

/** Names within a workspace, where the API has full ones. */
function namesOf(pattern: string, words: string): Schema {
  return { type: 'array', items: { anyOf: [{ type: 'string', pattern, 'x-in-words': words }, REFERENCE] } };
}

/**
 * The JSON Schema of waybill.yaml. What a resource holds is what the contract takes to create it, so that a field that
 * is added there is one of the file at once.
 */
export function configurationSchema(document: Document): Schema {
  const used = new Map<string, unknown>();
  const fields = (create: string, more: Schema): Schema => {
    const shape = bodyShapeOf(document, { $ref: `#/components/schemas/${create}` });
    return closed({ ...localized(document, shape?.fields ?? {}, used), ...more });
  };
  const filter = fields('CreateFilter', {});
  const destination = fields('CreateDestination', { filters: { type: 'array', items: filter } });
  const schemaConfig = fields('UpdateSchemaConfig', {});
  const source = fields('CreateSource', { schema_config: schemaConfig, destinations: bySlug(destination) });
  const sources = { description: 'Slugs of the sources that it is for.', ...SOURCES };
  const plan = fields('CreateTrackingPlan', { sources });
  const destinations = {
    description: 'Webhooks destinations that are told, as `source/destination`.',
    ...DESTINATIONS,
  };
  const computed = (create: string, more: Schema = {}): Schema => {
    const required = ['display_name', 'definition'];
    return { ...fields(create, { destinations, ...more }), required };
  };
  const audience = computed('CreateAudience', { definition: { $ref: '#/$defs/Definition' } });
  const workspace = fields('CreateWorkspace', {
    quota: described(fields('UpdateQuota', {}), 'How many events its senders may send; 0 lifts a limit.'),
    sources: bySlug(source),
    tracking_plans: { type: 'array', items: { ...plan, required: ['display_name'] } },
    computed_traits: { type: 'array', items: computed('CreateComputedTrait') },
    audiences: { type: 'array', items: audience },
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of Waybill',
    description: 'What `waybill apply` brings about. What is not in the file stays as it is.',
    ...closed({ version: { description: 'Of this format.', const: 1 }, workspaces: bySlug(workspace) }),
    required: ['version', 'workspaces'],
    $defs: asInFile(Object.fromEntries(used)),
  };
}

/** What a definition refers to has other names in a file. */
function asInFile({ Definition, SourceNames, ...others }: Schema): Schema {
  const properties: Schema = isObject(Definition) && isObject(Definition['properties']) ? Definition['properties'] : {};
  const { member_of: audience, computed_trait: trait } = properties;
  const referring = {
    member_of: described(audience, 'The `display_name` of another audience of the workspace.'),
    computed_trait: described(trait, 'The `display_name` of a computed trait of the workspace.'),
  };
  return {
    ...others,
    Definition: isObject(Definition) ? { ...Definition, properties: { ...properties, ...referring } } : Definition,
    SourceNames: isObject(SourceNames) ? { ...SourceNames, ...SOURCES, description: WHOSE_EVENTS } : SourceNames,
  };
}

function described(schema: unknown, description: string): unknown {
  return isObject(schema) ? { ...schema, description } : schema;
}

function closed(properties: Schema): Schema {
  return { type: 'object', additionalProperties: false, properties };
}

function bySlug(schema: Schema): Schema {
  return { type: 'object', propertyNames: { pattern: SLUG }, additionalProperties: schema };
}

/** The same with references into `$defs`, which gets what they name; limits of texts do not hold for references. */
function localized(document: Document, schema: Schema, used: Map<string, unknown>): Schema {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    return isObject(value) ? localized(document, value, used) : value;
  };
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    if (!used.has(name)) {
      used.set(name, undefined);
      used.set(name, localized(document, resolved(document, { $ref: reference }), used));
    }
    return { ...schema, $ref: `#/$defs/${name}` };
  }
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inner(value)]));
  return schema['type'] === 'string' && hasLimits(schema) ? { anyOf: [copy, REFERENCE] } : copy;
}

function hasLimits(schema: Schema): boolean {
  return ['pattern', 'enum', 'format', 'minLength', 'maxLength'].some((limit) => limit in schema);
}
