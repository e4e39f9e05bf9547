import { dirname } from 'node:path';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { UsageError } from '../../server/cli/command.ts';
import { loadDocument } from '../../server/http/document.ts';
import { wanted } from '../../server/http/wanted.ts';
import { isObject } from '../contract/schemas.ts';
import { readJson, readText } from '../contract/values.ts';
import type { Terminal } from '../terminal.ts';
import { entriesOf } from './fields.ts';
import type { DestinationNode, Fields, PlanNode, SourceNode, Unnamed, WorkspaceNode } from './model.ts';
import { withReferences } from './references.ts';
import { configurationSchema } from './schema.ts';

/** The workspaces that a file wants, by slug. `-` is standard input. */
export async function readConfiguration(file: string, terminal: Terminal): Promise<ReadonlyMap<string, WorkspaceNode>> {
  const written = readJson(file, await readText(file, file, terminal));
  await requireValid(written, file);
  const surroundings = { env: terminal.env, folder: file === '-' ? '.' : dirname(file) };
  const read = withReferences(written, surroundings);
  return mapOf(isObject(read) ? read['workspaces'] : {}, workspaceOf);
}

/** The first fault, with its place: `workspaces.main.sources.web.enabld`. */
async function requireValid(written: unknown, file: string): Promise<void> {
  // A fifth of the files that the command would load, and most commands read no configuration.
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  // Each check runs once: no time is spent on making it faster.
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, code: { optimize: false } });
  ajv.addFormat('date-time', true);
  const validate = ajv.compile(configurationSchema(loadDocument('config-api')));
  if (validate(written)) return;
  // Of several ways in which a text may be right, the last says only that none fits.
  const [fault] = validate.errors ?? [];
  throw new UsageError(`${file}: ${fault === undefined ? 'not a configuration' : told(fault)}`);
}

function told(fault: ErrorObject): string {
  const place = fault.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return `${place.length === 0 ? 'the file' : place.join('.')} ${wanted(fault)}`;
}

function workspaceOf(written: Fields): WorkspaceNode {
  const { quota, sources, tracking_plans: plans, audiences, computed_traits: traits, ...fields } = written;
  return {
    fields,
    quota: isObject(quota) ? quota : {},
    sources: mapOf(sources, sourceOf),
    plans: listOf(plans).map(planOf),
    computed: { audiences: listOf(audiences).map(computedOf), computedTraits: listOf(traits).map(computedOf) },
  };
}

/** The API keeps each destination once. */
function computedOf({ destinations, ...fields }: Fields): Unnamed {
  const once = Array.isArray(destinations) ? { destinations: [...new Set(destinations)] } : {};
  return { fields: { ...fields, ...once }, name: undefined };
}

function sourceOf({ destinations, schema_config: schemaConfig, ...fields }: Fields): SourceNode {
  return {
    fields,
    schemaConfig: isObject(schemaConfig) ? schemaConfig : {},
    destinations: destinations === undefined ? undefined : mapOf(destinations, destinationOf),
  };
}

function destinationOf({ filters, config, ...fields }: Fields): DestinationNode {
  return {
    fields: config === undefined ? fields : { ...fields, config: entriesOf(config) },
    filters: filters === undefined ? undefined : listOf(filters).map((one) => ({ fields: one, name: undefined })),
  };
}

function planOf({ sources, ...fields }: Fields): PlanNode {
  const slugs = Array.isArray(sources) ? sources.map(String).toSorted() : undefined;
  return { fields, name: undefined, sources: slugs };
}

function mapOf<Node>(value: unknown, make: (fields: Fields) => Node): ReadonlyMap<string, Node> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return new Map(entries.map(([slug, fields]) => [slug, make(isObject(fields) ? fields : {})]));
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
