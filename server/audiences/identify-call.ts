import { createHash } from 'node:crypto';
import { isObject } from '../model/json-values.ts';
import type { Event, Message } from '../model/message.ts';
import { slugOf } from '../model/resource-names.ts';
import type { Moment } from '../ports/clock.ts';

/** The audience or computed trait that calls are about. */
export interface Subject {
  /** Full name. */
  readonly name: string;
  readonly kind: 'audiences' | 'computed-traits';
  /** The trait that calls carry (AUD-2). */
  readonly key: string;
  readonly workspace: { readonly name: string; readonly id: string };
}

export interface Addressee {
  readonly destination: string;
  readonly user: string;
  /** JSON. */
  readonly value: string;
  /** Number of the sync: it tells a destination at most once of each user. */
  readonly sync: number;
  /** ISO 8601: when the destination was made. */
  readonly toldTo?: string | undefined;
}

/** The `identify` by which a destination is told of one user (AUD-1, AUD-5). */
export function identifyCall(
  about: Subject,
  { destination, user, value, sync, toldTo }: Addressee,
  at: Moment,
): Message {
  const { name, kind, key, workspace } = about;
  const time = new Date(at.wall).toISOString();
  const traitValue: unknown = JSON.parse(value);
  const personas = {
    computation_class: kind === 'audiences' ? 'audience' : 'trait',
    computation_id: slugOf(name),
    computation_key: key,
    namespace: slugOf(workspace.name),
    space_id: workspace.id,
  };
  return {
    source: name,
    receivedAt: at.steady,
    event: {
      type: 'identify',
      messageId: `personas_${idOf(name, destination, user, String(sync), value)}`,
      userId: user,
      traits: { [key]: traitValue },
      context: { personas, integrations: { personas: false } },
      integrations: { All: false, Webhooks: true },
      timestamp: time,
      receivedAt: time,
      ...(toldTo === undefined ? {} : { toldTo }),
    },
  };
}

/** What all calls about one user have in common, and no other event; undefined where an event is none. No sender can set `toldTo`. */
export function toldAbout({ toldTo, userId, context: { personas } }: Event): string | undefined {
  if (toldTo === undefined || !isObject(personas)) return undefined;
  return JSON.stringify([personas['computation_id'], userId]);
}

/** The message ids of calls, and of nothing that senders are likely to send. */
export const TOLD_ID = /^personas_[\w-]{43}$/;

/**
 * The same for whoever tells it again after a restart, so that a receiver knows a repetition (AUD-8). Another for each value: a
 * storage that was restored gives the number of a sync once more.
 */
function idOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
