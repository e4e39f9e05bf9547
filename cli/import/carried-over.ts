import { isWebhooks, madeAs } from '../../server/destinations/kind.ts';
import { stringsOf } from '../contract/schemas.ts';
import type { DestinationNode, Fields, SourceNode, WorkspaceNode } from '../configuration/model.ts';
import type { Note } from './notes.ts';

interface Carried {
  readonly wanted: WorkspaceNode;
  readonly notes: readonly Note[];
}

/** What the workspace should become here, and what of it works differently. */
export function carriedOver(workspace: string, found: WorkspaceNode): Carried {
  const notes: Note[] = [];
  const sources = [...found.sources].map(([slug, source]) => {
    const place = `${workspace}/${slug}`;
    return [slug, sourceOf(source, place, (note) => void notes.push(note))] as const;
  });
  // Names and quotas of workspaces are for who runs them.
  return { wanted: { ...found, fields: {}, quota: {}, sources: new Map(sources) }, notes };
}

type Tell = (note: Note) => void;

function sourceOf({ fields, schemaConfig, destinations }: SourceNode, place: string, tell: Tell): SourceNode {
  const keys = fields['write_keys'];
  const { write_keys: _none, ...others } = fields;
  const hasKeys = Array.isArray(keys) && keys.length > 0;
  if (!hasKeys) tell({ place, text: 'has no write key there, and gets a new one' });
  const own = [...(destinations ?? [])].map(
    ([slug, destination]) => [slug, destinationOf(slug, destination, `${place}/${slug}`, tell)] as const,
  );
  return { fields: withoutEmpty(hasKeys ? fields : others), schemaConfig, destinations: new Map(own) };
}

function destinationOf(slug: string, { fields, filters }: DestinationNode, place: string, tell: Tell): DestinationNode {
  if (!isWebhooks(madeAs(slug, undefined))) {
    tell({ place, text: 'is kept with its settings, and not deliverable: Waybill delivers to webhooks alone' });
    return { fields: withoutEmpty(fields), filters };
  }
  if (fields['connection_mode'] !== 'DEVICE') return { fields: withoutEmpty(fields), filters };
  tell({ place, text: 'was in device mode, and is served in cloud mode' });
  return { fields: withoutEmpty({ ...fields, connection_mode: 'CLOUD' }), filters };
}

/** The service leaves fields empty that have a default here. */
function withoutEmpty(fields: Fields): Fields {
  const kept = Object.entries(fields).filter(([, value]) => value !== '' && value !== null);
  return Object.fromEntries(kept);
}

/** Keys that a source got here stay its own: whoever sends with one would be refused. Those that belong to another there go to it. */
export function withKeysOf(live: WorkspaceNode | undefined, wanted: WorkspaceNode): WorkspaceNode {
  const there = new Set([...wanted.sources.values()].flatMap(keysOf));
  const sources = [...wanted.sources].map(([slug, source]) => {
    const keys = keysOf(source);
    const here = keysOf(live?.sources.get(slug)).filter((key) => keys.includes(key) || !there.has(key));
    const write_keys = [...new Set([...here, ...keys])];
    return [slug, keys.length === 0 ? source : { ...source, fields: { ...source.fields, write_keys } }] as const;
  });
  return { ...wanted, sources: new Map(sources) };
}

function keysOf(source: SourceNode | undefined): readonly string[] {
  return stringsOf(source?.fields['write_keys']);
}
