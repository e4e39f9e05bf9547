import { setTimeout as wait } from 'node:timers/promises';
import type { AcceptRequest, DeliveryStorage } from '../../server/storage/delivery-storage.ts';
import { type Life, type Members, NO_SHARE, type Roster } from '../../server/storage/members.ts';
import type { Storage } from '../../server/storage/storage.ts';
import type { Transport } from '../../server/ports/transport.ts';
import type { Seams } from '../../server/app.ts';
import { claimEverything } from './wreck.ts';

/** Routers that break their promises: a run that finds nothing wrong with them proves nothing about a good one. */
const DEFECTS = {
  /** Answers before it stores. */
  hasty: {
    storage: ({ deliveries, ...own }) => ({
      ...own,
      deliveries: { ...deliveries, accept: (request) => acceptLater(deliveries, request) },
    }),
  },
  /** Sends each request twice. */
  stuttering: { transport: sendTwice },
  /** Sends each body without its `messageId`. */
  mumbling: { transport: dropMessageId },
  /** Never sends what an earlier process left. */
  forgetful: {
    storage: (own) => ({ ...own, members: { ...own.members, join: (request) => joinAndForget(own, request) } }),
  },
  /** Hears nothing of its lease, and goes on. */
  undying: { storage: ({ members, ...own }) => ({ ...own, members: { ...members, beat: beatForEver(members) } }) },
  /** Believes that it has the storage for itself. */
  solitary: { storage: ({ members, ...own }) => ({ ...own, members: { ...members, ...alone(members) } }) },
} satisfies Record<string, Seams>;

export type Defect = keyof typeof DEFECTS;

export function defectNamed(name: string): Seams {
  if (isDefect(name)) return DEFECTS[name];
  throw new Error(`no defect is called ${JSON.stringify(name)}: it is one of ${Object.keys(DEFECTS).join(', ')}`);
}

function isDefect(name: string): name is Defect {
  return Object.hasOwn(DEFECTS, name);
}

/** Long enough for the answer to have left. */
const LATER_MS = 50;

async function acceptLater(own: DeliveryStorage, request: AcceptRequest): ReturnType<DeliveryStorage['accept']> {
  // The claims are not known before they are stored, so a start takes them up.
  const unclaimed = request.acceptances.map(({ message, routes }) => ({
    message,
    routes: routes.map(({ destination }) => ({ destination, claimed: false })),
  }));
  // What is refused by then is lost as well.
  void wait(LATER_MS).then(() => own.accept({ ...request, acceptances: unclaimed }).catch(() => undefined));
  return unclaimed.map(() => []);
}

/** Takes whatever waits, and lets it lie. */
async function joinAndForget(
  { deliveries, members }: Storage,
  request: Parameters<Members['join']>[0],
): ReturnType<Members['join']> {
  const membership = await members.join(request);
  await claimEverything(deliveries);
  return membership;
}

function beatForEver(own: Members): Members['beat'] {
  let last: Roster | undefined;
  return async () => {
    const roster = await own.beat().catch(() => undefined);
    last = roster === undefined ? last : { ...roster, leaseMs: 3_600_000 };
    return last;
  };
}

const NOTHING = { waits: [], circuits: [], division: NO_SHARE };

function alone(own: Members): Pick<Members, 'join' | 'beat' | 'exchange'> {
  let self: Life[] = [];
  return {
    join: async (request) => {
      const { node, epoch, freed } = await own.join(request);
      self = [{ node, epoch }];
      return { node, epoch, freed };
    },
    beat: async () => {
      const roster = await own.beat();
      return roster && { ...roster, members: self };
    },
    exchange: async () => ({ ...(await own.exchange(NOTHING)), members: self }),
  };
}

function sendTwice(own: Transport): Transport {
  return {
    post: async (request, signal) => {
      await own.post(request, signal);
      return own.post(request, signal);
    },
    close: () => own.close(),
  };
}

function dropMessageId(own: Transport): Transport {
  return {
    post: (request, signal) => {
      const { messageId: _gone, ...rest }: Record<string, unknown> = JSON.parse(Buffer.from(request.body).toString());
      return own.post({ ...request, body: Buffer.from(JSON.stringify(rest)) }, signal);
    },
    close: () => own.close(),
  };
}
