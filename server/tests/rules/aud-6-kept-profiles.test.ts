import { describe, expect, test } from 'vitest';
import { createConfigClient } from '../../../client/config/index.ts';
import { startWaybill } from '../../app.ts';
import { readSettings } from '../../settings/settings.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';

const TOKEN = 'token-of-kept-profiles-0123456789';
const MAIN = 'workspaces/main';
const PRO = { trait: 'plan', is: { eq: 'pro' } };
const LOOK = { timeout: 20_000, interval: 50 };

interface Router extends AsyncDisposable {
  readonly client: ReturnType<typeof createConfigClient>;
  identify(writeKey: string | undefined, userId: string): Promise<void>;
  /** What a definition by traits would have, and since when that is known. */
  readonly preview: () => Promise<{ readonly size: number; readonly from: number }>;
}

async function start(storage: string, profiles: 'audiences' | 'always'): Promise<Router> {
  const flags = ['--port=0', `--storage=${storage}`, `--token=${TOKEN}`, `--profiles=${profiles}`];
  const router = await startWaybill(readSettings(flags, {}), new RecordingLog());
  const client = createConfigClient({ baseUrl: router.url, token: TOKEN });
  return {
    client,
    async identify(writeKey, userId) {
      const call = { writeKey, userId, type: 'identify', traits: { plan: 'pro' } };
      const { status } = await fetch(`${router.url}/v1/batch`, {
        method: 'POST',
        body: JSON.stringify({ writeKey, batch: [call] }),
      });
      expect(status).toBe(200);
    },
    preview: async () => {
      const { size, history_from } = await client.audiences.preview(MAIN, PRO);
      return { size, from: Date.parse(history_from) };
    },
    [Symbol.asyncDispose]: () => router.stop(),
  };
}

/** Profiles of the workspace are kept, or are not, whatever is computed. */
async function untilKept({ preview }: Router, kept: boolean): Promise<void> {
  const began = Date.now();
  await expect.poll(async () => (await preview()).from < began, LOOK).toBe(kept);
}

/** Answers how many there are in the end. */
async function story(storage: string): Promise<number> {
  let writeKey: string | undefined;
  {
    await using router = await start(storage, 'audiences');
    [writeKey] = (await router.client.sources.create({ name: `${MAIN}/sources/js` })).write_keys;
    await router.identify(writeKey, 'before');
    expect((await router.preview()).size).toBe(0);
  }
  const from = await whileAlways(storage, writeKey);
  {
    // What was caught is folded at a start. Its beginning is stored; an audience that is made later has it.
    await using router = await start(storage, 'always');
    await expect.poll(router.preview, LOOK).toEqual({ size: 1, from });
    await router.identify(writeKey, 'second');
    const { history_from } = await router.client.audiences.create(MAIN, {
      display_name: 'Pro',
      definition: PRO,
      destinations: [],
    });
    expect(Date.parse(history_from)).toBe(from);
  }
  // The audience has it of its own: the workspace's beginning goes in a moment.
  expect(await keptFrom(storage)).toEqual([from]);
  // Without the setting, what is computed keeps its history …
  await using router = await start(storage, 'audiences');
  await expect.poll(router.preview, LOOK).toEqual({ size: 2, from });
  const [audience] = await Array.fromAsync(router.client.audiences.list(MAIN));
  await router.client.audiences.delete(audience?.name ?? '');
  // … and with the last of it there is none.
  await untilKept(router, false);
  return (await router.preview()).size;
}

/** Since when profiles are kept for each audience, as it is stored. */
async function keptFrom(place: string): Promise<number[]> {
  const storage = await openStorage(place, new RecordingLog());
  const rows = await storage.resources.list('audiences', MAIN, { after: 0, limit: 10 });
  await storage.close();
  return rows.map(({ resource: { profiles_from } }) => Date.parse(profiles_from));
}

async function whileAlways(storage: string, writeKey: string | undefined): Promise<number> {
  const started = Date.now();
  await using router = await start(storage, 'always');
  await expect.poll(async () => (await router.preview()).from < Date.now() - 100, LOOK).toBe(true);
  const { from } = await router.preview();
  expect(from).toBeGreaterThanOrEqual(started);
  await router.identify(writeKey, 'first');
  return from;
}

describe('in files', () => {
  test(
    'AUD-6: profiles are kept before an audience needs them, where the router is told so, and it is known since when',
    { timeout: 60_000 },
    async () => {
      expect(await story(`file:${newFolder()}`)).toBe(0);
    },
  );
});

describeWithPostgres('in PostgreSQL', () => {
  test(
    'AUD-6: profiles are kept before an audience needs them, where the router is told so, and it is known since when',
    { timeout: 60_000 },
    async () => {
      await using place = await postgresPlace();
      expect(await story(place.url)).toBe(0);
    },
  );
});
