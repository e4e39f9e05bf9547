import { expect, test } from 'vitest';
import type { PostResult } from '../../ports/transport.ts';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { type Engine, startEngine } from '../support/engine.ts';

const TARGET = {
  sharedSecret: 'shared "secret"',
  webhooks: [
    {
      url: 'https://a.test/hook?key=query%20secret',
      headers: { Authorization: 'Bearer token-secret', 'X-Team': 'team-secret' },
    },
  ],
};
/** Every secret, in every spelling in which it may come back. */
const SECRETS = ['shared', 'secret', 'query', 'token-', 'team-'];

async function afterOneRound(result: PostResult, target = TARGET): Promise<Engine> {
  const engine = await startEngine(() => ({ afterMs: 1, result }), { target });
  await engine.send();
  await engine.clock.advance(10);
  return engine;
}

function excerptIn({ store }: Engine): string {
  return store.deliveries[0]?.attempts[0]?.excerpt ?? 'no attempt';
}

function echo(status: number, excerpt: string): PostResult {
  return { kind: 'answered', status, excerpt };
}

test.each([
  ['as they are', `${TARGET.sharedSecret} token-secret team-secret query secret`],
  ['with their scheme', 'Bearer token-secret'],
  ['as JSON', JSON.stringify({ a: TARGET.sharedSecret, b: 'Bearer token-secret', c: 'query secret' })],
  ['as in a URL', `key=query%20secret&team=team-secret&s=${encodeURIComponent(TARGET.sharedSecret)}`],
  ['cut off', 'it was token-sec'],
])('D-31: secrets that echo back %s are masked as the attempt is written', async (_title, text) => {
  for (const status of [200, 401, 500]) {
    const stored = excerptIn(await afterOneRound(echo(status, text)));
    for (const secret of SECRETS) expect(stored).not.toContain(secret);
    expect(stored).toContain('[masked]');
  }
});

test('D-31: what the network says of a failure is masked too', async () => {
  const detail = 'cannot parse header X-Team: team-secret';
  const engine = await afterOneRound({ kind: 'failed', failure: 'protocol_error', detail });
  expect(excerptIn(engine)).toBe('cannot parse header X-Team: [masked]');
});

test('D-31: everything else of an answer is kept as it came', async () => {
  const text = 'no such user: token, team (400)';
  expect(excerptIn(await afterOneRound(echo(400, text)))).toBe(text);
  expect(excerptIn(await afterOneRound(echo(400, ''), TARGET))).toBe('');
});

test('D-31: an attempt is kept with its status, if it has one, and the times of its phases', async () => {
  const phases = { connectMs: 1, sendMs: 2, waitMs: 3, readMs: 4 };
  const { store } = await afterOneRound({ ...echo(200, 'fine'), phases });
  expect(store.deliveries[0]?.attempts).toMatchObject([{ status: 200, phases, outcome: 'delivered', durationMs: 1 }]);
  const failed = await afterOneRound({ kind: 'failed', failure: 'reset', detail: 'gone' });
  const attempt = failed.store.deliveries[0]?.attempts[0];
  expect(attempt).toMatchObject({ outcome: 'reset', excerpt: 'gone' });
  expect([attempt?.status, attempt?.phases]).toEqual([undefined, undefined]);
});

test('D-31: each attempt has one log line, without a secret', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const headers = TARGET.webhooks[0]?.headers ?? {};
  const webhooks = names.map((name) => ({ url: `https://${name}.test/path-secret?k=query`, headers }));
  const target = { ...TARGET, webhooks };
  const engine = await startEngine(({ request }) => answers(request.url.includes('//e.') ? 200 : 503), { target });
  await engine.send();
  await engine.clock.advance(10);
  const lines = engine.logged.filter(({ message }) => message.startsWith('attempt '));
  expect(lines.map(({ fields }) => fields['webhook'])).toEqual(names.map((name) => `https://${name}.test`));
  expect(lines.map(({ message }) => message)).toEqual([...Array(4).fill('attempt failed'), 'attempt delivered']);
  for (const secret of SECRETS) expect(JSON.stringify(engine.logged)).not.toContain(secret);
});
