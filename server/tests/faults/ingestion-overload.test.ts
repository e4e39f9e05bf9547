import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createAdmission } from '../../http/admission.ts';
import { ApiError } from '../../http/errors.ts';
import { basic, SOURCE, startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

const CALL = { type: 'identify', userId: 'u' };

test('D-41: requests beyond the limit are answered 429 with whole seconds', async () => {
  const { post, url, store } = await startIngestion(
    undefined,
    createAdmission({ requests: 2, bytes: 1e6 }, () => 0),
  );
  const held = store.hold();
  const taken = [post('/v1/batch', { batch: [CALL] }), post('/v1/track', { ...CALL, event: 'E' })];
  await held.asked;
  const body = JSON.stringify({ batch: [CALL] });
  const refused = await fetch(`${url}/v1/batch`, { method: 'POST', body, headers: basic(WRITE_KEY) });
  expect([refused.status, refused.statusText, await refused.json()]).toMatchObject([
    429,
    'Too Many Requests',
    { code: 8, error: 'server overloaded; retry later' },
  ]);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('x-ratelimit-reset')).toBe('1');
  held.release();
  for (const answer of await Promise.all(taken)) expect(answer.status).toBe(200);
  expect(await post('/v1/batch', { batch: [CALL] })).toMatchObject({ status: 200 });
});

test('D-41: a key that is unknown is 401 also under overload', async () => {
  const { post } = await startIngestion(
    undefined,
    createAdmission({ requests: 0, bytes: 1e6 }, () => 0),
  );
  expect(await post('/v1/batch', { batch: [CALL] }, basic('unknown'))).toMatchObject({ status: 401 });
});

test('D-41: bodies beyond the memory are answered 429, and take none', async () => {
  const { post, store } = await startIngestion(
    undefined,
    createAdmission({ requests: 10, bytes: 100_000 }, () => 0),
  );
  const held = store.hold();
  const body = JSON.stringify({ batch: [CALL] }).padEnd(70_000);
  const taken = post('/v1/batch', body);
  await held.asked;
  expect(await post('/v1/batch', body)).toMatchObject({ status: 429 });
  held.release();
  expect(await taken).toMatchObject({ status: 200 });
  expect(await post('/v1/batch', body)).toMatchObject({ status: 200 });
});

test('D-41: a sender that announces much and sends little takes the place of nobody', async () => {
  const { post, url } = await startIngestion(
    undefined,
    createAdmission({ requests: 1, bytes: 10_000 }, () => 0),
  );
  const slow = Array.from({ length: 20 }, () => connect(Number(new URL(url).port), '127.0.0.1'));
  for (const socket of slow) {
    await once(socket, 'connect');
    const headers = `Authorization: ${basic(WRITE_KEY)['authorization']}\r\nContent-Length: 500000`;
    socket.write(`POST /v1/batch HTTP/1.1\r\nHost: waybill\r\n${headers}\r\n\r\n{`);
  }
  expect(await post('/v1/batch', { batch: [CALL] })).toMatchObject({ status: 200 });
  for (const socket of slow) socket.destroy();
});

test('D-41: a flood of tiny requests is answered, each 200 or 429', async () => {
  const { post, url, store } = await startIngestion(
    undefined,
    createAdmission({ requests: 10, bytes: 1e6 }, () => 0),
  );
  const held = store.hold();
  const body = JSON.stringify({ ...CALL, event: 'E', writeKey: WRITE_KEY });
  const requestWith = (header: string): string =>
    `POST /v1/t HTTP/1.1\r\nHost: waybill\r\n${header}Content-Length: ${body.length}\r\n\r\n${body}`;
  const flood = Array.from({ length: 100 }, () => connect(Number(new URL(url).port), '127.0.0.1'));
  const closed = flood.map((socket) => once(socket, 'close'));
  let answers = '';
  for (const socket of flood) {
    socket.on('data', (chunk) => (answers += chunk.toString()));
    socket.write(requestWith('').repeat(9) + requestWith('Connection: close\r\n'));
  }
  await expect.poll(() => answers).toContain('429');
  expect(await post('/v1/t', { ...CALL, event: 'E', writeKey: WRITE_KEY }, {})).toMatchObject({ status: 429 });
  held.release();
  await Promise.all(closed);
  const statuses = answers.match(/HTTP\/1\.1 \d+/g) ?? [];
  expect(statuses).toHaveLength(1_000);
  expect([...new Set(statuses)].toSorted()).toEqual(['HTTP/1.1 200', 'HTTP/1.1 429']);
});

test.each([
  ['a body that is no JSON', '{'],
  ['a body without a batch', '{}'],
  ['a body over the limit', ' '.repeat(600_000)],
])('D-41: %s gives its place back', async (_case, body) => {
  const { post } = await startIngestion(
    undefined,
    createAdmission({ requests: 1, bytes: 700_000 }, () => 0),
  );
  for (let turn = 0; turn < 3; turn += 1) expect((await post('/v1/batch', body)).status).toBeLessThan(429);
  expect(await post('/v1/batch', { batch: [CALL] })).toMatchObject({ status: 200 });
});

test('D-41: a place is held from the end of a body to the answer', () => {
  const admission = createAdmission({ requests: 1, bytes: 10 }, () => 0);
  const holder = { id: SOURCE, hasKey: true };
  const [first, second] = [admission.enter(holder), admission.enter(holder)];
  first.begin();
  expect(() => second.begin()).toThrow(ApiError);
  expect(() => admission.enter(holder)).toThrow(ApiError);
  first.end();
  second.begin();
  second.end();
  const full = admission.enter(holder);
  full.hold(10);
  expect(() => full.hold(1)).toThrow(ApiError);
  expect(() => admission.enter(holder)).toThrow('server overloaded; retry later');
  full.hold(-4);
  admission.enter(holder).hold(4);
  full.end();
  expect(() => admission.enter(holder).hold(7)).toThrow(ApiError);
});

/** Enters as a source of a workspace, and begins to work; whether there was a place. */
function beginner(places: number) {
  const admission = createAdmission({ requests: places, bytes: 1e6 }, () => 0);
  return (source: string): (() => void) | undefined => {
    try {
      const stay = admission.enter({ id: `workspaces/${source}`, hasKey: true });
      stay.begin();
      return () => stay.end();
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  };
}

test('D-41: however many requests of a workspace are at work, there are places for others', () => {
  const begin = beginner(100);
  const slow = Array.from({ length: 100 }, (_, at) => begin(`slow/sources/s${at}`));
  expect(slow.filter((end) => end !== undefined)).toHaveLength(80);
  const quick = Array.from({ length: 100 }, () => begin('quick/sources/js'));
  expect(quick.filter((end) => end !== undefined)).toHaveLength(16);
  expect(begin('third/sources/js')).toBeDefined();
  expect(begin('slow/sources/s0')).toBeUndefined();
  for (const end of quick) end?.();
  for (const end of slow) end?.();
  expect(begin('slow/sources/s0')).toBeDefined();
});
