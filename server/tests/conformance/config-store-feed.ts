import { expect } from 'vitest';
import type { Commit, ConfigStore } from '../../storage/config-store.ts';
import { destination, source, token, workspace } from '../support/config-resources.ts';
import type { ConfigStorePlace, Fact } from './config-store.ts';
import { sourceOfKey } from '../support/source-of-key.ts';

const MAIN = 'workspaces/main';
const JS = `${MAIN}/sources/js`;

/** What the feed of a store tells from now on, in its order: `workspace:name`, with a minus where it went. */
async function heardBy(store: ConfigStore): Promise<{ told: string[]; versions: number[] }> {
  const heard = { told: [] as string[], versions: [] as number[] };
  await store.watch((commit) => {
    heard.versions.push(commit.version);
    heard.told.push(...wordsOf(commit));
  });
  heard.versions.splice(0);
  heard.told.splice(0);
  return heard;
}

/** What is noted of write keys and names beside a change is of no account here. */
function wordsOf({ workspace: home, changes }: Commit): string[] {
  const others = changes.filter(({ kind }) => kind !== 'former-keys' && kind !== 'removed-workspaces');
  return others.map(({ name, row }) => `${home}:${row === undefined ? '-' : ''}${name}`);
}

async function two({ store, other }: ConfigStorePlace): Promise<[ConfigStore, ConfigStore]> {
  if (other === undefined) throw new Error('one router alone can have this place');
  return [store, await other()];
}

function renamed(display_name: string) {
  return <R extends object>(current: R): R => ({ ...current, display_name });
}

export const FEED_FACTS: readonly Fact[] = [
  {
    title: 'D-13: the feed begins with all that stands, and tells of a change before it is answered',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js'));
      const told: string[] = [];
      const stop = await store.watch((commit) => told.push(...wordsOf(commit)));
      expect(told.toSorted()).toEqual([`:${MAIN}`, `${MAIN}:${JS}`]);
      await store.create('destinations', destination(JS)).then(() => told.push('answered'));
      await store.remove('workspaces', MAIN).then(() => told.push('answered'));
      expect(told.slice(2)).toEqual([`${MAIN}:${JS}/destinations/webhooks`, 'answered', `:-${MAIN}`, 'answered']);
      stop();
      await store.create('access-tokens', token('1'));
      expect(told).toHaveLength(6);
    },
  },
  {
    title: 'who watches some kinds hears of what stands and changes of them alone',
    check: async ({ store }) => {
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js'));
      const told: string[] = [];
      await store.watch((commit) => told.push(wordsOf(commit).join()), ['destinations', 'workspaces']);
      expect(told).toEqual([`:${MAIN}`]);
      await store.create('destinations', destination(JS));
      await store.create('access-tokens', token('1'));
      await store.remove('workspaces', MAIN);
      expect(told.slice(1)).toEqual([`${MAIN}:${JS}/destinations/webhooks`, `:-${MAIN}`]);
    },
  },
  {
    title: 'the version of each commit is greater than that of any before it, also of one before a restart',
    check: async ({ store, reopen }) => {
      const { versions } = await heardBy(store);
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js'));
      await store.update('sources', JS, (same) => same);
      await store.create('access-tokens', token('1'));
      expect(versions).toHaveLength(3);
      expect(versions).toEqual(versions.toSorted((one, next) => one - next));
      expect(new Set(versions).size).toBe(3);
      const again = await reopen();
      const standing = new Map<string, number>();
      await again.watch(({ workspace: home, version }) => standing.set(home, version));
      const [newest, later] = [Math.max(...standing.values()), await heardBy(again)];
      await again.update('sources', JS, renamed('new'));
      expect(later.versions[0]).toBeGreaterThan(newest);
    },
  },
  {
    title: 'NODE-5: what one router changed, reads of another find at once',
    needs: 'other',
    check: async (place) => {
      const [store, other] = await two(place);
      await store.create('workspaces', workspace('main'));
      expect(await other.create('sources', source('main', 'js'))).toBe('created');
      expect(await store.get('sources', JS)).toEqual(source('main', 'js'));
      expect(await sourceOfKey(store, 'key-main-js')).toMatchObject({ name: JS });
      expect(await store.create('sources', source('main', 'ios', 'key-main-js'))).toBe('write key taken');
      await store.create('access-tokens', token('1'));
      expect(await other.tokenByHash('hash-of-1')).toEqual(token('1'));
      await other.remove('workspaces', MAIN);
      expect(await store.get('sources', JS)).toBeUndefined();
      expect(await store.list('workspaces', '', { after: 0, limit: 9 })).toEqual([]);
      expect(await store.create('sources', source('main', 'js'))).toBe('parent missing');
    },
  },
  {
    title: 'NODE-5: after refresh the feed has told all that any router was answered, in the order of the commits',
    needs: 'other',
    check: async (place) => {
      const [store, other] = await two(place);
      const [first, second] = [await heardBy(store), await heardBy(other)];
      await store.create('workspaces', workspace('main'));
      await other.create('sources', source('main', 'js'));
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? store : other).update('sources', JS, renamed(`name ${index}`)),
        ),
      );
      await other.remove('sources', JS);
      await Promise.all([store.refresh(), store.refresh(), other.refresh()]);
      expect(first.told).toEqual([`:${MAIN}`, ...Array.from({ length: 21 }, () => `${MAIN}:${JS}`), `${MAIN}:-${JS}`]);
      expect(second).toEqual(first);
      expect(first.versions).toEqual(first.versions.toSorted((one, next) => one - next));
    },
  },
  {
    title: 'CFG-16, D-10: of creates of one name, or of one write key, on two routers one wins',
    needs: 'other',
    check: async (place) => {
      const stores = await two(place);
      await stores[0].create('workspaces', workspace('main'));
      const named = stores.map((store, index) => store.create('sources', source('main', 'js', `key ${index}`)));
      expect((await Promise.all(named)).toSorted()).toEqual(['created', 'name taken']);
      const keyed = stores.map((store, index) => store.create('sources', source('main', `s${index}`, 'one key')));
      expect((await Promise.all(keyed)).toSorted()).toEqual(['created', 'write key taken']);
      const bounded = stores.map((store, index) => store.create('destinations', destination(JS, `d${index}`), 1));
      expect((await Promise.all(bounded)).toSorted()).toEqual(['created', 'no room']);
    },
  },
  {
    title: 'CFG-6: rows of two routers are in one order',
    needs: 'other',
    check: async (place) => {
      const [store, other] = await two(place);
      await store.create('workspaces', workspace('main'));
      for (const [index, one] of [store, other, other, store].entries()) {
        await one.create('sources', source('main', `s${index}`));
      }
      for (const one of [store, other]) {
        const rows = await one.list('sources', MAIN, { after: 0, limit: 9 });
        expect(rows.map(({ resource }) => resource.display_name)).toEqual(['s0', 's1', 's2', 's3']);
        expect(new Set(rows.map(({ sequence }) => sequence)).size).toBe(4);
      }
    },
  },
  {
    title: 'no update is lost among those of two routers',
    needs: 'other',
    check: async (place) => {
      const [store, other] = await two(place);
      await store.create('workspaces', workspace('main'));
      await store.create('sources', source('main', 'js'));
      const labels = Array.from({ length: 20 }, (_, index) => `label-${index}`);
      const labelling = labels.map((label, index) =>
        (index % 2 === 0 ? store : other).update('sources', JS, (one) => ({
          ...one,
          labels: { ...one.labels, [label]: 'yes' },
        })),
      );
      await Promise.all(labelling);
      const { labels: found = {} } = (await other.get('sources', JS)) ?? {};
      expect(Object.keys(found).toSorted()).toEqual(labels.toSorted());
    },
  },
];
