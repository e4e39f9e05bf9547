import type { Resource } from '@waybill/client/config';
import { countText } from '../ui/numbers.ts';

export type Action = Resource<'filters'>['actions'][number];

/** What the form offers; field lists of several groups and samples by path are made with the API. */
export const EFFECTS = [
  { id: 'drop', title: 'Do not send the event' },
  { id: 'sample', title: 'Send a share of the events' },
  { id: 'remove', title: 'Send it without these properties' },
  { id: 'keep', title: 'Send only these properties' },
] as const;

export type Effect = (typeof EFFECTS)[number]['id'];

/** `detail` is a share in percent, or names of properties by commas. */
export function actionOf(effect: Effect, detail: string): Action {
  const fields = detail
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  switch (effect) {
    case 'drop':
      return { type: 'drop_event' };
    case 'sample':
      return { type: 'sample_event', percent: Number(detail) / 100 };
    case 'remove':
      return { type: 'blocklist_fields', fields: { properties: { fields } } };
    case 'keep':
      return { type: 'allowlist_fields', fields: { properties: { fields } } };
  }
}

export function actionText({ type, percent, path, fields }: Action): string {
  const groups = [fields?.properties, fields?.traits, fields?.context];
  const names = groups.flatMap((group) => group?.fields ?? []).join(', ');
  switch (type) {
    case 'drop_event':
      return 'not sent';
    case 'sample_event':
      return `a sample of ${countText((percent ?? 0) * 100)} %${path === undefined || path === '' ? '' : ` by ${path}`}`;
    case 'blacklist_fields':
    case 'blocklist_fields':
      return `without ${names}`;
    case 'whitelist_fields':
    case 'allowlist_fields':
      return `only ${names}`;
  }
}
