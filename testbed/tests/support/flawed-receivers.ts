import { setTimeout as sleep } from 'node:timers/promises';
import { FLAWED_VERIFIERS } from './flawed-verifiers.ts';
import { BAD, type Call, type Decide, good, isSigned, type Json, OK, type Reply, UNAUTHORIZED } from './receivers.ts';

type Make = (handle: (call: Call) => void) => Decide;

const KINDS = new Set<unknown>(['track', 'identify', 'page', 'screen', 'group', 'alias', 'delete']);
const KNOWN = new Set(
  'version type event properties messageId userId anonymousId context integrations timestamp originalTimestamp sentAt receivedAt name category traits groupId previousId,Previous ID,User ID'
    .split(',')
    .flatMap((part, index) => (index === 0 ? part.split(' ') : [part])),
);

/** A good receiver, but for signed events that it answers otherwise. */
const but =
  (otherwise: (event: Json, call: Call) => Reply | undefined): Make =>
  (handle) => {
    const inner = good(handle);
    return (call) =>
      (isSigned(call) && call.event !== undefined ? otherwise(call.event, call) : undefined) ?? inner(call);
  };

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

/** Receivers with one mistake each: their names are the mistakes. */
export const FLAWED_RECEIVERS: Readonly<Record<string, Make>> = {
  ...FLAWED_VERIFIERS,
  'redirects to a slash': () => () => ({ status: 308, headers: { Location: '/hooks/' } }),
  'refuses kinds that it does not know': but(({ type }) => (KINDS.has(type) ? undefined : BAD)),
  'breaks on kinds that it does not know': but(({ type }) => (KINDS.has(type) ? undefined : { status: 500 })),
  'refuses fields that it does not know': but((event) =>
    Object.keys(event).every((key) => KNOWN.has(key)) ? undefined : BAD,
  ),
  'wants a user in every event': but(({ type, userId }) =>
    type !== 'alias' && userId === undefined ? BAD : undefined,
  ),
  'wants a version in every event': but(({ version }) => (version === 1 ? undefined : BAD)),
  'knows no screens': but(({ type }) => (type === 'screen' ? { status: 404 } : undefined)),
  'takes only tracks': but(({ type }) => (type === 'track' ? undefined : BAD)),
  'breaks on an empty context': but(({ context }) => (JSON.stringify(context) === '{}' ? { status: 500 } : undefined)),
  'refuses repeats': (handle) => {
    const seen = new Set<unknown>();
    return but(({ messageId }) => {
      if (seen.has(messageId)) return { status: 409 };
      seen.add(messageId);
      return undefined;
    })(handle);
  },
  'breaks on repeats at once': (handle) => {
    const busy = new Set<unknown>();
    const inner = good(handle);
    return async (call) => {
      const id = call.event?.['messageId'];
      if (busy.has(id)) return { status: 500 };
      busy.add(id);
      await sleep(20);
      busy.delete(id);
      return inner(call);
    };
  },
  'handles repeats again': (handle) => (call) => {
    if (!isSigned(call)) return UNAUTHORIZED;
    if (call.event === undefined) return BAD;
    handle(call);
    return OK;
  },
  'handles repeats at once again': (handle) => {
    const done = new Set<unknown>();
    return async (call) => {
      if (!isSigned(call)) return UNAUTHORIZED;
      if (call.event === undefined) return BAD;
      const isNew = !done.has(call.event['messageId']);
      // The gap between looking and marking, in which another one gets through.
      await sleep(20);
      if (isNew) handle(call);
      done.add(call.event['messageId']);
      return OK;
    };
  },
  'says yes and does nothing': () => (call) => (isSigned(call) ? OK : UNAUTHORIZED),
  'refuses what is older': (handle) => {
    let latest = '';
    return but(({ timestamp }) => {
      const time = String(timestamp);
      if (time < latest) return BAD;
      latest = time;
      return undefined;
    })(handle);
  },
  'refuses large bodies': but((_event, { body }) => (body.length > 16_384 ? { status: 413 } : undefined)),
  'breaks on deep nesting': but((event) => (depthOf(event) > 50 ? { status: 500 } : undefined)),
  'breaks on awkward names': but((event) => {
    const { properties } = event;
    return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, '__proto__')
      ? { status: 500 }
      : undefined;
  }),
  'breaks on no JSON': (handle) => {
    const inner = good(handle);
    return (call) => (isSigned(call) && call.event === undefined ? { status: 500 } : inner(call));
  },
  'hangs up on no JSON': (handle) => {
    const inner = good(handle);
    return (call) => (isSigned(call) && call.event === undefined ? { status: 0, hangUp: true } : inner(call));
  },
  'limits its rate': (handle) => {
    const inner = good(handle);
    let count = 0;
    return (call) => {
      count += 1;
      return count > 60 ? { status: 429 } : inner(call);
    };
  },
  'works before it answers': but(() => ({ ...OK, afterMs: 3_000 })),
  'takes one at a time': (handle) => {
    const inner = good(handle);
    let last: Promise<unknown> = Promise.resolve();
    return async (call) => {
      const turn = last.then(async () => sleep(150));
      last = turn;
      await turn;
      return inner(call);
    };
  },
  'answers 2xx late': but(() => ({ ...OK, afterMs: 2_500 })),
  'answers 3xx to what it knows': but(({ type }) => (type === 'track' ? { status: 303 } : undefined)),
  'keeps a request that broke off': (handle) => {
    const inner = good(handle);
    let isStuck = false;
    const decide: Decide = (call) => (isStuck && isSigned(call) ? { status: 503 } : inner(call));
    return Object.assign(decide, { onBrokenOff: () => (isStuck = true) });
  },
  'stays broken once it broke': (handle) => {
    const inner = good(handle);
    let isBroken = false;
    return (call) => {
      if (isBroken) return { status: 500 };
      isBroken = isSigned(call) && call.event === undefined;
      return inner(call);
    };
  },
};
