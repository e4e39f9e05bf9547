import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createConfigClient, type ConfigClient, type NewResource } from '../../../client/config/index.ts';
import { startWaybill } from '../../app.ts';
import { readSettings } from '../../settings/settings.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MAIN = 'workspaces/main';
const TOKEN = 'recipes-test-token-0123456789';

/** A call of a user, so long ago; of the shop unless another source is named. */
interface Did {
  readonly user: string;
  readonly ago: number;
  readonly event?: string;
  readonly properties?: object;
  readonly traits?: object;
  readonly source?: string;
}

interface Story {
  readonly did: readonly Did[];
  readonly members: readonly string[];
}

const order = (user: string, total: number, ago: number): Did => ({
  user,
  ago,
  event: 'Order Completed',
  properties: { total },
});
const added = (user: string, ago: number): Did => ({ user, ago, event: 'Product Added' });
const seen = (user: string, ago: number): Did => ({ user, ago, event: 'Page Seen' });
const signedIn = (user: string, person: string, ago: number, source = 'accounts'): Did => ({
  user,
  ago,
  source,
  event: 'Signed In',
  properties: { person },
});

const STORIES: Readonly<Record<string, Story>> = {
  'Big spenders': {
    did: [order('ada', 60, DAY), order('ada', 40, 29 * DAY), order('bob', 99, DAY), order('cyd', 500, 31 * DAY)],
    members: ['ada'],
  },
  'Dormant users': {
    did: [seen('ada', 40 * DAY), seen('bob', 40 * DAY), seen('bob', DAY), seen('cyd', 200 * DAY)],
    members: ['ada'],
  },
  'Abandoned cart': {
    did: [
      added('ada', 3 * HOUR),
      added('bob', 3 * HOUR),
      order('bob', 20, 2 * HOUR),
      added('cyd', 3 * HOUR),
      added('cyd', 0),
      added('fay', 3 * HOUR),
      added('fay', 50 * MINUTE),
      added('eve', 2 * DAY),
    ],
    members: ['ada'],
  },
  'Accounts with three active users': {
    did: [
      ...['ada', 'bob', 'cyd'].map((person) => signedIn('acme', person, DAY)),
      ...['ada', 'bob', 'bob'].map((person) => signedIn('globex', person, DAY)),
      signedIn('globex', 'cyd', 8 * DAY),
      ...['ada', 'bob', 'cyd'].map((person) => signedIn('initech', person, DAY, 'shop')),
    ],
    members: ['acme'],
  },
};

const recipes = recipesIn(readFileSync(new URL('../../../docs/audiences.md', import.meta.url), 'utf8'));

test('each recipe of docs/audiences.md has a story, and no other', () => {
  expect(recipes.map(({ display_name: name }) => name).toSorted()).toEqual(Object.keys(STORIES).toSorted());
});

test.for(recipes)('docs/audiences.md: $display_name has the members that it says', async (recipe) => {
  const { url, client, send } = await startShop();
  const { did, members } = STORIES[recipe.display_name] ?? { did: [], members: [] };
  const { name } = await client.audiences.create(MAIN, recipe);
  await send(did);
  const evaluated = new Set(did.map(({ user }) => user)).size;
  // What was just done is done again: an hour may end between it and the sync.
  const fresh = did.filter(({ ago }) => ago === 0);
  await expect
    .poll(() => send(fresh).then(() => synced(client, name)), { interval: 300 })
    .toMatchObject({ state: 'DONE', evaluated, size: members.length });
  const found = await Array.fromAsync(client.audiences.members(name));
  expect(found.map(({ user_id: user }) => user)).toEqual(members);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/^waybill_audience_runs_total\{kind="audience",state="done"\} [1-9]/m);
  expect(metrics).toMatch(new RegExp(`^waybill_audience_members\\{kind="audience"\\} ${members.length}$`, 'm'));
});

/** The last sync; another one begins unless it runs. */
async function synced(client: ConfigClient, name: string) {
  const { last_sync: last } = await client.audiences.get(name);
  await client.audiences.sync(name);
  return last;
}

function recipesIn(page: string): readonly NewResource<'audiences'>[] {
  const [, section = ''] = /^## Recipes$([\s\S]*?)^## /m.exec(page) ?? [];
  return [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => JSON.parse(text).audience);
}

async function startShop() {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-recipes-'));
  const settings = readSettings([`--data-dir=${folder}`, `--token=${TOKEN}`, '--port=0', '--rate-limit=0'], {});
  const router = await startWaybill(settings, new RecordingLog());
  onTestFinished(async () => {
    await router.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const client = createConfigClient({ baseUrl: router.url, token: TOKEN });
  const keys = new Map<string, string>();
  for (const slug of ['shop', 'accounts']) {
    const { write_keys: made } = await client.sources.create({ name: `${MAIN}/sources/${slug}` });
    keys.set(slug, made[0] ?? '');
  }
  const send = async (did: readonly Did[]): Promise<void> => {
    for (const { source = 'shop', ...one } of did) await post(router.url, keys.get(source) ?? '', callOf(one));
  };
  return { url: router.url, client, send };
}

function callOf({ user, ago, event, properties, traits }: Did): object {
  const call = { userId: user, timestamp: new Date(Date.now() - ago).toISOString() };
  return event === undefined ? { ...call, type: 'identify', traits } : { ...call, type: 'track', event, properties };
}

async function post(url: string, key: string, call: object): Promise<void> {
  const headers = { authorization: `Basic ${btoa(`${key}:`)}` };
  const answer = await fetch(`${url}/v1/batch`, { method: 'POST', headers, body: JSON.stringify({ batch: [call] }) });
  expect(answer.status).toBe(200);
}
