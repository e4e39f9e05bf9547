import { destinationName } from '../../client/config/resource-names.ts';
import { holdsRedacted } from '../../server/destinations/redacted-settings.ts';
import { loadDocument } from '../../server/http/document.ts';
import { createRedaction } from '../../server/resources/redaction.ts';
import { isObject } from '../contract/schemas.ts';
import type { DestinationNode, Fields, SourceNode, WorkspaceNode } from './model.ts';

const redact = createRedaction(loadDocument('config-api'));

/** Schemas of the contract that hold secrets. */
export type Secret = 'Source' | 'ConfigEntry';

/** What a token that only reads sees of a source, or of a setting of a destination by its full name. */
export function asReadersSee(schema: Secret, value: Fields): Fields {
  const shown = redact(value, { answerSchema: { $ref: `#/components/schemas/${schema}` } });
  return isObject(shown) ? shown : {};
}

/** Whether the token that read it only reads: each source has a write key. */
export function isWithoutSecrets(live: WorkspaceNode | undefined): boolean {
  return [...(live?.sources.values() ?? [])].some(({ fields }) => holdsRedacted(fields['write_keys']));
}

/** What a file wants, as it would be answered to a token that only reads: that can be compared with what one has read. */
export function withoutSecrets(workspace: string, wanted: WorkspaceNode): WorkspaceNode {
  const sources = [...wanted.sources].map(([slug, source]) => [slug, sourceAsSeen(workspace, slug, source)] as const);
  return { ...wanted, sources: new Map(sources) };
}

function sourceAsSeen(workspace: string, slug: string, { fields, destinations, ...others }: SourceNode): SourceNode {
  const seen =
    destinations &&
    [...destinations].map(([own, destination]) => {
      const place = destinationName(workspace, slug, own);
      return [own, destinationAsSeen(place, destination)] as const;
    });
  return { ...others, fields: asReadersSee('Source', fields), destinations: seen && new Map(seen) };
}

function destinationAsSeen(place: string, { fields, filters }: DestinationNode): DestinationNode {
  const { config } = fields;
  if (!Array.isArray(config)) return { fields, filters };
  const seen = config.filter(isObject).map((entry) => {
    // A file may leave the type to the router; only that of a password says more than the name.
    const { value } = asReadersSee('ConfigEntry', {
      type: '',
      ...entry,
      name: `${place}/config/${String(entry['name'])}`,
    });
    return { ...entry, value };
  });
  return { fields: { ...fields, config: seen }, filters };
}
