import { RESOURCES, type ResourceRow } from '../../client/config/resources.ts';
import { loadDocument, type Schema } from '../../server/http/document.ts';
import { bodyShapeOf } from '../contract/body-shape.ts';
import type { ComputedKind } from './model.ts';

/** The kinds of resources that a file describes. */
export type Kind = 'workspaces' | 'sources' | 'destinations' | 'filters' | 'trackingPlans' | ComputedKind;

/** What a file changes where it is. */
export type Changeable = Kind | 'schemaConfig' | 'quota';

/** What the contract says of a kind. */
export interface KindRow {
  readonly row: ResourceRow;
  /** What it is created from. */
  readonly created: readonly string[];
  /** What an update can change. */
  readonly updated: readonly string[];
}

const SCHEMAS: Readonly<Record<Kind, string>> = {
  workspaces: 'Workspace',
  sources: 'Source',
  destinations: 'Destination',
  filters: 'Filter',
  trackingPlans: 'TrackingPlan',
  audiences: 'Audience',
  computedTraits: 'ComputedTrait',
};

const DOCUMENT = loadDocument('config-api');

export function kindRow(kind: Kind): KindRow {
  return {
    row: RESOURCES[kind],
    created: fieldsOf(`Create${SCHEMAS[kind]}`),
    updated: fieldsOf(`Update${SCHEMAS[kind]}`),
  };
}

export const SCHEMA_CONFIG_FIELDS = fieldsOf('UpdateSchemaConfig');
export const QUOTA_FIELDS = fieldsOf('UpdateQuota');

function fieldsOf(name: string): readonly string[] {
  const reference: Schema = { $ref: `#/components/schemas/${name}` };
  return Object.keys(bodyShapeOf(DOCUMENT, reference)?.fields ?? {});
}
