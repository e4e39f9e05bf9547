import { REDACTED } from '../../server/destinations/redacted-settings.ts';
import { destinationName } from '../../client/config/resource-names.ts';
import { isObject } from '../contract/schemas.ts';
import { labelOf, requireDistinct } from './computed.ts';
import { type ComputedKind, type DestinationNode, type Fields, type SourceNode, type WorkspaceNode } from './model.ts';
import { mapTexts, withoutReferences } from './references.ts';
import { asReadersSee, type Secret } from './seen-by-readers.ts';

/** How secrets are written: as references to the environment, or as they are. */
export type Secrets = 'references' | 'shown';

export interface Exported {
  /** The file, as data. */
  readonly file: Fields;
  /** The variables that it refers to. */
  readonly variables: readonly string[];
  /** Deleted destinations that audiences and computed traits still name. No router takes them from a file. */
  readonly leftOut: readonly string[];
}

/** The configuration of workspaces as a file has it. The same configuration gives the same file. */
export function exported(workspaces: ReadonlyMap<string, WorkspaceNode>, secrets: Secrets): Exported {
  const variables = new Set<string>();
  const leftOut: string[] = [];
  const write = (place: readonly string[], value: Fields, schema: Secret): Fields =>
    secrets === 'shown' ? plain(value) : hidden(place, value, schema, variables);
  const file = {
    version: 1,
    workspaces: sorted(workspaces, (workspace, slug) => workspaceIn(workspace, slug, write, leftOut)),
  };
  return { file, variables: [...variables], leftOut };
}

type Write = (place: readonly string[], value: Fields, schema: Secret) => Fields;

function workspaceIn(workspace: WorkspaceNode, slug: string, write: Write, leftOut: string[]): Fields {
  const { fields, quota, sources, plans, computed } = workspace;
  requireDistinct(slug, workspace);
  const computedOf = (kind: ComputedKind) =>
    computed[kind].map((one) => {
      const { destinations, ...others } = plain(one.fields);
      if (!Array.isArray(destinations)) return others;
      const { there = [], gone = [] } = Object.groupBy(destinations.map(String), (name) => placeIn(sources, name));
      const label = labelOf(slug, kind, JSON.stringify(others['display_name']));
      leftOut.push(...gone.map((name) => `${name} of ${label}`));
      return { ...others, destinations: there };
    });
  return {
    ...plain(fields),
    ...(Object.keys(quota).length === 0 ? {} : { quota }),
    sources: sorted(sources, (source, own) => sourceIn(source, [slug, own], write)),
    tracking_plans: plans.map((plan) => ({ ...plain(plan.fields), sources: plan.sources ?? [] })),
    computed_traits: computedOf('computedTraits'),
    audiences: computedOf('audiences'),
  };
}

function placeIn(sources: WorkspaceNode['sources'], destination: string): 'there' | 'gone' {
  const [source = '', own = ''] = destination.split('/');
  return sources.get(source)?.destinations?.has(own) === true ? 'there' : 'gone';
}

function sourceIn({ fields, schemaConfig, destinations }: SourceNode, place: readonly string[], write: Write): Fields {
  return {
    ...write(place, fields, 'Source'),
    schema_config: schemaConfig,
    destinations: sorted(destinations ?? new Map(), (one, own) => destinationIn(one, [...place, own], write)),
  };
}

function destinationIn({ fields, filters }: DestinationNode, place: readonly string[], write: Write): Fields {
  const [workspace = '', source = '', destination = ''] = place;
  const { config, ...others } = fields;
  const entries = Array.isArray(config) ? config.filter(isObject) : [];
  return {
    ...plain(others),
    config: entries.map(({ name, ...entry }) => {
      const key = String(name);
      // What of an entry is secret depends on what it is an entry of.
      const whole = { ...entry, name: `${destinationName(workspace, source, destination)}/config/${key}` };
      return { ...write([...place, key], whole, 'ConfigEntry'), name };
    }),
    filters: (filters ?? []).map((filter) => plain(filter.fields)),
  };
}

function plain(fields: Fields): Fields {
  const written = withoutReferences(fields);
  return isObject(written) ? written : {};
}

/** What a token that only reads does not see becomes a reference. */
function hidden(place: readonly string[], value: Fields, schema: Secret, variables: Set<string>): Fields {
  const secret = textsOf(asReadersSee(schema, value));
  const written = mapTexts(withoutReferences(value), '', (text, at) => {
    if (secret.get(at)?.includes(REDACTED) !== true) return text;
    const variable = variableFor([...place, at], variables);
    variables.add(variable);
    return `\${env:${variable}}`;
  });
  return isObject(written) ? written : {};
}

function textsOf(value: unknown): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  mapTexts(value, '', (text, at) => {
    texts.set(at, text);
    return text;
  });
  return texts;
}

/** `MAIN_WEB_WEBHOOKS_SHARED_SECRET`: a name that no other secret of the file has. */
function variableFor(place: readonly string[], taken: ReadonlySet<string>): string {
  const base = place
    .join('_')
    .replace(/_value(?=\W|$)/, '_')
    .replaceAll(/(?<=[a-z])[A-Z]/g, '_$&')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replace(/_$/, '')
    .toUpperCase();
  const first = /^\d/.test(base) ? `_${base}` : base;
  for (let name = first, count = 2; ; name = `${first}_${count}`, count += 1) if (!taken.has(name)) return name;
}

/** By slug, so that the order of creation does not show. */
function sorted<Node>(nodes: ReadonlyMap<string, Node>, write: (node: Node, slug: string) => Fields): Fields {
  const slugs = [...nodes].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(slugs.map(([slug, node]) => [slug, write(node, slug)]));
}
