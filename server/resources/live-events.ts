import type { components } from '../../generated/config-api.d.ts';
import type { Moment } from '../events/live-events.ts';
import type { Routed } from '../events/route.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import { type Caller, seesWorkspace } from './callers.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { EventPage } from './event-page.ts';
import { requireParent } from './kit.ts';
import { nameOf } from './names.ts';

type LiveEvent = components['schemas']['LiveEvent'];

/** Of the events in one message. */
const MAX_LISTED_BYTES = 256_000;

export function liveEventHandlers({ store, live }: Pick<Env, 'store' | 'live'>) {
  const listed = listing();
  return {
    async streamAcceptedEvents({ path, caller }) {
      const source = await requireParent(store, caller, nameOf('sources', path));
      const mayGoOn = (): Promise<boolean> => seesStill(store, caller, source);
      return new EventPage({ holder: caller.token.name, listed, mayGoOn }).open(live, source);
    },
  } satisfies Partial<ConfigHandlers>;
}

/** Tokens are revoked and sources removed while streams are open. */
async function seesStill(store: ConfigStore, caller: Caller, source: string): Promise<boolean> {
  const token = await store.get('access-tokens', caller.token.name);
  return token !== undefined && seesWorkspace({ token }, source) && (await store.get('sources', source)) !== undefined;
}

/** The events of a moment as JSON, made once for all who watch. */
function listing(): (moment: Moment) => string {
  const made = new WeakMap<Moment, string>();
  return (moment) => {
    const text = made.get(moment) ?? listText(moment.events);
    made.set(moment, text);
    return text;
  };
}

function listText(events: readonly Routed[]): string {
  const texts: string[] = [];
  let bytes = 0;
  for (const event of events) {
    const text = JSON.stringify(liveEvent(event));
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_LISTED_BYTES) break;
    texts.push(text);
  }
  return `[${texts.join(',')}]`;
}

function liveEvent({ event: payload, to }: Routed): LiveEvent {
  const { type, messageId, event = '', userId = '', receivedAt } = payload;
  return {
    message_id: messageId,
    type,
    event,
    user_id: userId,
    receive_time: receivedAt,
    destinations: [...to],
    payload: { ...payload },
  };
}
