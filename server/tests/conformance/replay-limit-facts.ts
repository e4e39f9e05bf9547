import { expect } from 'vitest';
import type { DeliveryStoreFact } from './delivery-store.ts';
import { A, B, NOW } from './delivery-store-events.ts';

const WANTED = { filter: {}, dryRun: false, perSecond: 9, createdAt: NOW } as const;

/** How many bulk replays there may be. */
export const REPLAY_LIMIT_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'so many bulk replays of a workspace run at once, until one of them has ended',
    check: async ({ store }) => {
      const begin = (destination: string) =>
        store.createReplay({ ...WANTED, destination, mostRunning: 2, mostKept: 9 });
      const [first] = [await begin(A), await begin(B)];
      expect([await begin(A), await begin(B)]).toEqual([undefined, undefined]);
      expect(await store.runningReplays()).toHaveLength(2);
      expect(await begin(`workspaces/another/${A.slice(A.indexOf('sources/'))}`)).toBeDefined();
      await store.cancelReplay({ destination: A, id: first?.id ?? 0, now: NOW });
      expect([await begin(B), await begin(A)]).toEqual([expect.objectContaining({ destination: B }), undefined]);
    },
  },
  {
    title: 'SAFE-2: of the bulk replays of a destination that have ended, the last ones are kept',
    check: async ({ store }) => {
      const begin = async (destination: string): Promise<number> => {
        const made = await store.createReplay({ ...WANTED, destination, mostRunning: 9, mostKept: 2 });
        return made?.id ?? 0;
      };
      const end = (destination: string, id: number) => store.cancelReplay({ destination, id, now: NOW });
      const [runs, ofB] = [await begin(A), await begin(B)];
      await end(B, ofB);
      const ids: number[] = [];
      for (let replay = 0; replay < 4; replay += 1) {
        ids.push(await begin(A));
        await end(A, ids.at(-1) ?? 0);
      }
      const last = await begin(A);
      const kept = async (destination: string): Promise<number[]> =>
        (await store.listReplays({ destination, after: 0, limit: 9 })).map(({ id }) => id);
      expect(await kept(A)).toEqual([runs, ...ids.slice(-2), last]);
      expect(await kept(B)).toEqual([ofB]);
      expect(await store.getReplay({ destination: A, id: ids[0] ?? 0 })).toBeUndefined();
    },
  },
];
