import { isObject } from '../contract/schemas.ts';
import { cell } from '../table.ts';
import type { Step } from './differences.ts';

const MARKS = { create: '+', update: '~', delete: '-' } as const;

/** Only of these are values shown: no other field is known to be free of secrets. */
const SHOWN =
  /^(display_name|enabled|connection_mode|catalog_name|title|description|if|allow_|events_per_|common_|forwarding_)/;

/** What would change, for people. */
export function stepText(step: Step): string {
  const { action, label, fields, before } = step;
  if (action !== 'update') return `${MARKS[action]} ${cell(label)}`;
  const lines = Object.entries(fields).map(([field, value]) => `    ${fieldText(field, value, before[field])}`);
  return [`${MARKS[action]} ${cell(label)}`, ...lines].join('\n');
}

function fieldText(field: string, value: unknown, before: unknown): string {
  if (SHOWN.test(field)) return `${field}: ${before === undefined ? '' : `${cell(before)} → `}${cell(value)}`;
  if (field === 'config' && Array.isArray(value))
    return `config: ${value.map((entry) => (isObject(entry) ? cell(entry['name']) : '')).join(', ')}`;
  return field;
}

/** The same for programs, without values. */
export function stepObject({ action, kind, label, fields }: Step): object {
  return { action, kind: KINDS[kind], name: label, fields: Object.keys(fields) };
}

const KINDS = {
  workspaces: 'workspace',
  sources: 'source',
  destinations: 'destination',
  filters: 'filter',
  trackingPlans: 'tracking_plan',
  audiences: 'audience',
  computedTraits: 'computed_trait',
  schemaConfig: 'schema_config',
  quota: 'quota',
  connection: 'source_connection',
} as const satisfies Record<Step['kind'], string>;

export function summary(steps: readonly Step[]): string {
  const count = (wanted: Step['action']): number => steps.filter(({ action }) => action === wanted).length;
  return `${count('create')} to create, ${count('update')} to change, ${count('delete')} to delete`;
}
