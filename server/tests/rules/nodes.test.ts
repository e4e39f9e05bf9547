import { expect, test } from 'vitest';
import { Memory } from '../../storage/memory/memory.ts';
import { type ConfigApiServer, NOW, startConfigApi } from '../support/config-api.ts';
import { batchOf } from '../support/memory-storage.ts';
import { accepted } from '../conformance/delivery-store-events.ts';
import { stillClock } from '../support/still-clock.ts';

const NAMES = ['router-a:12', 'router-b:7'] as const;

/** Two routers on one storage, whose clock the tests move. */
async function startTwo() {
  const time = { now: NOW };
  const memory = new Memory({ clock: stillClock(() => time.now) });
  const apis: ConfigApiServer[] = [];
  const nodes = NAMES.map((name) => memory.open(name));
  for (const [index, node] of nodes.entries()) {
    await node.join({ now: time.now, router: { name: NAMES[index] ?? '', version: '1.2.3' } });
    apis.push(await startConfigApi(undefined, { members: node }));
  }
  return { time, nodes, apis };
}

test('every router answers with all that run, what they go by, and what each of them is trying', async () => {
  const { nodes, apis, time } = await startTwo();
  await nodes[1]?.accept(batchOf([accepted('m1', true), accepted('m2', true), accepted('m3', false)]));
  time.now += 3_000;
  await nodes[1]?.beat();
  const start_time = new Date(NOW).toISOString();
  const same = { version: '1.2.3', epoch: 1, start_time };
  const expected = {
    nodes: [
      { name: 'nodes/router-a:12', ...same, last_heard_time: start_time, delivery_count: 0 },
      { name: 'nodes/router-b:7', ...same, last_heard_time: new Date(NOW + 3_000).toISOString(), delivery_count: 2 },
    ],
  };
  for (const api of apis) expect(await api.ok('GET', '/nodes')).toEqual(expected);
});

test('a router that was not heard of for ten seconds is not listed, and comes back with the next epoch', async () => {
  const { nodes, apis, time } = await startTwo();
  time.now += 10_000;
  await nodes[1]?.join({ now: time.now });
  expect(await apis[0]?.ok('GET', '/nodes')).toMatchObject({ nodes: [{ name: 'nodes/router-b:7', epoch: 2 }] });
});

test('D-8: a token that is bound to workspaces sees no routers', async () => {
  const api = await startConfigApi();
  const access_token = { description: 'bound', scopes: 'workspace', workspace_names: ['workspaces/main'] };
  const { token } = await api.ok('POST', '/access-tokens', { access_token });
  const answer = await api.call('GET', '/nodes', undefined, { token: String(token) });
  expect(answer).toMatchObject({ status: 403, body: { code: 7 } });
});
