import { expect, test } from 'vitest';
import { loadContract } from '../../../server/tests/contract/contract-document.ts';
import { addFailed } from '../../../server/tests/contract/delivery-log.ts';
import { probe } from '../../../server/tests/contract/probes.ts';
import { type Request, startWorld, type World, type WorldAnswer } from '../../../server/tests/contract/world.ts';
import { NOW, TOKEN } from '../../../server/tests/support/config-api.ts';
import { openMemory } from '../../../server/tests/support/memory-storage.ts';
import type { Clock } from '../../../server/ports/clock.ts';
import type { ConfigStore } from '../../../server/storage/config-store.ts';
import { SimpleProfiles } from '../../stand-in/profiles.ts';
import { StandIn } from '../../stand-in/stand-in.ts';
import { Names, pairOf } from '../support/config-api-pair.ts';

const contract = loadContract();
const USER = { traits: { plan: 'pro' } };

/** No time passes: who waits, waits until it is told otherwise. */
const clock: Clock = {
  now: () => NOW,
  steady: () => NOW,
  sleep: (_ms, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
};

/** A router and a stand-in in the same state, which are asked the same. */
async function startPair(): Promise<World & { readonly standIn: StandIn }> {
  const profiles = new SimpleProfiles(openMemory());
  profiles.add('workspaces/main', 'user-1', USER);
  const world = await startWorld({ keepsLog: true, profiles });
  const standIn = await StandIn.open({ token: TOKEN, workspace: 'main', seed: 1, clock });
  standIn.addUser('workspaces/main', 'user-1', USER);
  const names = new Names();
  const { deliveries, gate } = world;
  let version = 0;
  await standIn.storage.resources.watch((commit) => {
    if (commit.workspace === 'workspaces/main') ({ version } = commit);
  });
  if (deliveries === undefined) throw new Error('a world of a pair has a log of deliveries');
  return {
    ...world,
    standIn,
    gate: { ...gate, current: both(gate.current, standIn.storage.resources, names) },
    deliveries: {
      ...deliveries,
      async addFailed(destination) {
        await addFailed(standIn.storage, clock, destination, version);
        return deliveries.addFailed(destination);
      },
    },
    send: pairOf(
      async (request) => {
        const answer = await world.send(request);
        // As of the stand-in, replays have ended before the next request.
        await deliveries.jobs.idle();
        return answer;
      },
      (request) => send(standIn, request),
      names,
    ),
  };
}

/** What a test changes behind the API changes on both sides. */
function both(router: ConfigStore, standIn: ConfigStore, names: Names): ConfigStore {
  return {
    ...router,
    get: (kind, name) => router.get(kind, name),
    async update(kind, name, change) {
      const own = <Resource>(of: Resource): Resource => JSON.parse(names.text(JSON.stringify(of)));
      await standIn.update(kind, names.text(name), (current, home) => own(change(current, home)));
      return router.update(kind, name, change);
    },
  };
}

async function send(standIn: StandIn, { method, path, body, token, headers }: Request): Promise<WorldAnswer> {
  const authorization = token === null ? {} : { authorization: `Bearer ${token ?? TOKEN}` };
  const init = { method: method.toUpperCase(), headers: { ...authorization, ...headers } };
  const bytes = Buffer.from(body ?? '');
  const { response } = await standIn.answer(new Request(`http://stand-in${path}`, init), bytes);
  // As of the router, whose regulations and syncs nobody works on.
  await standIn.work('replays');
  const type = response.headers.get('content-type');
  return { status: response.status, type, body: Object(await bodyOf(response)) };
}

async function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type');
  if (type === 'application/x-tar') return (await response.arrayBuffer()).byteLength === 1_024 ? {} : undefined;
  if (type !== 'text/event-stream') return response.json();
  for await (const chunk of response.body ?? [])
    return JSON.parse(new TextDecoder().decode(chunk).slice('data: '.length));
  throw new Error('a stream ended before its first message');
}

test.each(contract.operations)('the stand-in answers $id as the router does', async (operation) => {
  const pair = await startPair();
  const statuses = new Set<number>();
  await probe(contract, operation, pair, ({ status }) => void statuses.add(status));
  expect(statuses).toContain(200);
  expect(statuses).toContain(401);
});

test('HOOK-27: the stand-in previews shapes, and refuses to, as the router does', async () => {
  const { send: ask } = await startPair();
  const input = JSON.stringify({
    type: 'track',
    event: 'E',
    messageId: 'm1',
    properties: { total: 5, email: 'a@b.c' },
  });
  const doubling = Array.from({ length: 16 }, () => ({ op: 'set', path: 'x', value: '[x, x, properties]' }));
  const answers: unknown[] = [];
  for (const [shape, given] of [
    [[{ op: 'drop', paths: ['properties.email'] }], input],
    [[{ op: 'keep', paths: ['type', 'properties.total'] }], input],
    [[{ op: 'rename', from: 'event', to: 'properties.name' }], input],
    [doubling, input],
    [[], input],
    [[{ op: 'set', path: 'x', value: 'a =' }], input],
    [[{ op: 'send', to: 'elsewhere' }], input],
    [[], '{'],
  ] as const) {
    const body = JSON.stringify({ shape, input: given });
    const { status, body: answer } = await ask({ method: 'POST', path: '/v1beta/shapes/preview', body });
    answers.push(status === 200 ? answer : status);
  }
  expect(answers).toMatchObject([
    { output: expect.not.stringContaining('a@b.c'), undecided: false },
    { output: '{"type":"track","properties":{"total":5}}', undecided: false },
    { undecided: false },
    { undecided: true },
    { undecided: false },
    400,
    400,
    400,
  ]);
});
