import { destinationKind } from './config-destinations.ts';
import { type Fields, kindOf } from './config-kinds.ts';
import { faultOf, type Settings } from './config-settings.ts';

/** What the rules say that a request leads to. */
export type Expected = Refused | Taken;

export interface Refused {
  readonly status: 400 | 401 | 403 | 404 | 409;
  /** In the router's own words, but for a 400: what is wrong with a value can be said in many ways. */
  readonly error: string;
}

export interface Taken {
  readonly status: 200;
  /** Of the resource that is answered. */
  readonly fields?: Fields;
  /** Of a list, over all its pages. */
  readonly names?: readonly string[];
  /** What the model does once the answer was as expected; a create gives it the name that was answered. */
  readonly commit?: (name: string, plaintext: string) => void;
}

/** What a webhooks destination could not work with; other destinations are free. */
export function unusable(name: string, fields: Fields): string | undefined {
  if (kindOf(name) !== 'destinations' || destinationKind(name, fields) !== 'webhooks') return undefined;
  const { enabled, config, connection_mode } = fields;
  if (connection_mode === 'DEVICE') return 'destination.connection_mode: webhooks are served in cloud mode';
  const settings: Settings = Object(config);
  const fault = faultOf(settings, enabled === true);
  return fault === undefined ? undefined : `destination.config: ${fault}`;
}

export function notFound(name: string): Refused {
  return { status: 404, error: `${name} does not exist` };
}

export function invalid(error: string): Refused {
  return { status: 400, error };
}

export function refusedReach(why: string): Refused {
  return { status: 403, error: `insufficient scope: ${why}` };
}

/** D-87: everything happens at one time, and of seven days of retention the last is gone nine days and 4:10 h later. */
export function nameKept(name: string): Refused {
  const when = 'was removed at 2026-11-20T12:00:00Z, and its name is free again at 2026-11-29T16:10:00Z';
  const why = 'what is stored of its events would be seen by the new one; choose another name';
  return { status: 409, error: `${name} ${when}: ${why}` };
}
