/**
 * The longest turn of a router's event loop, in processor time, while it is sent what was made to be slow (SAFE-2):
 * `npx node scripts/bench/turns.ts`. What the sender takes, in the same process, counts too.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Event } from '../../server/model/message.ts';
import { readSettings } from '../../server/settings/settings.ts';
import { HOSTILE_CONDITIONS, HOSTILE_PLANS } from '../../server/tests/support/hostile-definitions.ts';
import { startWaybill } from '../../server/app.ts';
import { inFolder } from './folder.ts';

/** Batches of slow events that are sent at once. */
const REQUESTS = Number(process.argv[2] ?? 1);

const TOKEN = 'turns-0123456789-0123456789';
const quiet = (): void => {};
const SILENT = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** Bodies that take long to be read, whatever is defined. */
const BODIES: Readonly<Record<string, string>> = {
  'a list of small numbers': bodyOf(`[${'0,'.repeat(240_000)}0]`),
  'a list of small objects': bodyOf(`[${'{},'.repeat(160_000)}{}]`),
  'ids beyond 2^53': bodyOf(`[${'0,'.repeat(240_000)}0]`, '123456789012345678901'),
  'tokens that are no JSON': bodyOf(`[${'NaN,'.repeat(120_000)}0]`),
  'many events': `{"batch":[${Array.from({ length: 2_500 }, () => eventText('{}')).join(',')}]}`,
};

function eventText(properties: string, userId = '"u"'): string {
  return `{"type":"track","userId":${userId},"event":"Order","properties":${properties}}`;
}

function bodyOf(list: string, userId?: string): string {
  return `{"batch":[${eventText(`{"l":${list}}`, userId)}]}`;
}

/** Runs until `work` is done; the longest turn meanwhile, in milliseconds of the processor. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const state = { isOver: false };
  const done = work().finally(() => (state.isOver = true));
  let worst = 0;
  for (let before = process.threadCpuUsage(); !state.isOver; before = process.threadCpuUsage()) {
    await nextTurn();
    const { user, system } = process.threadCpuUsage(before);
    worst = Math.max(worst, (user + system) / 1_000);
  }
  await done;
  return worst;
}

type Send = (path: string, body: string, key?: string) => Promise<Record<string, unknown>>;
type Row = readonly [name: string, ms: number];

function sendTo(url: string): Send {
  return async (path, body, key) => {
    const authorization = key === undefined ? `Bearer ${TOKEN}` : `Basic ${btoa(`${key}:`)}`;
    const response = await fetch(`${url}${path}`, { method: 'POST', body, headers: { authorization } });
    return Object(await response.json());
  };
}

/** A source of its own for each row, so that none sees what another defined. */
async function newSource(send: Send, id: string): Promise<{ name: string; key: string }> {
  const name = `workspaces/main/sources/${id}`;
  const made = await send('/v1beta/workspaces/main/sources', JSON.stringify({ source: { name } }));
  const config = [{ name: 'hooks', value: [{ hook: 'https://example.com' }] }];
  const destination = { name: `${name}/destinations/webhooks`, enabled: true, config };
  await send(`/v1beta/${name}/destinations`, JSON.stringify({ destination }));
  const keys: unknown = made['write_keys'];
  return { name, key: String(Array.isArray(keys) ? keys[0] : '') };
}

/** What sends batches of this event, all at once. */
function batches(send: Send, key: string, event: Event): () => Promise<unknown> {
  const body = JSON.stringify({ batch: Array.from({ length: 10 }, () => ({ ...event, messageId: undefined })) });
  return () => Promise.all(Array.from({ length: REQUESTS }, () => send('/v1/batch', body, key)));
}

async function* bodyRows(send: Send): AsyncGenerator<Row> {
  const { key } = await newSource(send, 'bodies');
  for (const [name, body] of Object.entries(BODIES)) {
    await send('/v1/batch', body, key);
    yield [`body: ${name}`, await longestTurn(() => send('/v1/batch', body, key))];
  }
}

async function* filterRows(send: Send): AsyncGenerator<Row> {
  for (const [index, [name, [condition, event]]] of Object.entries(HOSTILE_CONDITIONS).entries()) {
    const source = await newSource(send, `filters-${index}`);
    const filter = { if: condition, actions: [{ type: 'drop_event' }], enabled: true };
    const path = `/v1beta/${source.name}/destinations/webhooks/filters`;
    for (let at = 0; at < 10; at += 1) await send(path, JSON.stringify({ filter }));
    yield [`filters: ${name}`, await longestTurn(batches(send, source.key, event))];
  }
}

async function* planRows(send: Send): AsyncGenerator<Row> {
  for (const [index, [name, [rules, event]]] of Object.entries(HOSTILE_PLANS).entries()) {
    const source = await newSource(send, `plans-${index}`);
    const body = JSON.stringify({ tracking_plan: { display_name: 'p', rules } });
    let plan: unknown;
    const set = async (): Promise<void> => {
      plan = (await send('/v1beta/workspaces/main/tracking-plans', body))['name'];
    };
    yield [`plan, when it is set: ${name}`, await longestTurn(set)];
    await send(`/v1beta/${String(plan)}/source-connections`, JSON.stringify({ source_name: `plans-${index}` }));
    yield [`plan: ${name}`, await longestTurn(batches(send, source.key, event))];
  }
}

await inFolder(async (folder) => {
  const flags = ['--port', '0', '--data-dir', folder, '--token', TOKEN, '--rate-limit', '0'];
  const router = await startWaybill(readSettings(flags, {}), SILENT);
  const send = sendTo(router.url);
  let longest = 0;
  for (const rows of [bodyRows(send), filterRows(send), planRows(send)]) {
    for await (const [name, ms] of rows) {
      longest = Math.max(longest, ms);
      console.log(`${ms.toFixed(1).padStart(7)} ms  ${name}`);
    }
  }
  console.log(`${longest.toFixed(1).padStart(7)} ms  the longest of all`);
  await router.stop();
});
