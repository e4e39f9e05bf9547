import { destinationKind } from '../../contract/config-destinations.ts';
import { type Fields, kindOf } from '../../contract/config-kinds.ts';
import { publicKeysOf } from '../../contract/config-secrets.ts';
import { entriesOf, type Settings } from '../../contract/config-settings.ts';

export type Shown = Fields & { readonly name: string };

/** A resource of the model as it is answered. */
export function shown(name: string, fields: Fields): Shown {
  switch (kindOf(name)) {
    case 'destinations': {
      const settings: Settings = Object(fields['config']);
      const { rotation, ...rest } = fields;
      const { start_time, end_time } = Object(rotation);
      const delivers = destinationKind(name, fields) === 'webhooks';
      const keys = delivers ? publicKeysOf(fields) : [];
      return {
        name,
        ...rest,
        deliverable: delivers,
        config: entriesOf(name, settings),
        ...(rotation === undefined ? {} : { rotation: { start_time, end_time } }),
        ...(keys.length === 0 ? {} : { public_keys: keys }),
      };
    }
    case 'tracking-plans':
      return { name, ...fields, rules: { events: [], ...Object(fields['rules']) } };
    case 'access-tokens':
    case 'workspaces':
    case 'sources':
      return { name, ...fields };
  }
}
