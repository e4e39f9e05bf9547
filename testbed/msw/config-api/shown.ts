import { type Fields, kindOf, lastOf } from '../../contract/config-kinds.ts';
import { entriesOf, type Settings } from '../../contract/config-settings.ts';

export type Shown = Fields & { readonly name: string };

/** A resource of the model as it is answered. */
export function shown(name: string, fields: Fields): Shown {
  switch (kindOf(name)) {
    case 'destinations': {
      const settings: Settings = Object(fields['config']);
      return { name, ...fields, deliverable: lastOf(name) === 'webhooks', config: entriesOf(name, settings) };
    }
    case 'tracking-plans':
      return { name, ...fields, rules: { events: [], ...Object(fields['rules']) } };
    case 'access-tokens':
    case 'workspaces':
    case 'sources':
      return { name, ...fields };
  }
}
