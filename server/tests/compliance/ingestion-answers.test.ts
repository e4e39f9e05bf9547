import { request } from 'node:http';
import { expect, test } from 'vitest';
import { basic, startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

const CALL = { type: 'identify', userId: 'u' };

test('D-40: success is exactly 200 with exactly {"success":true}', async () => {
  const { url } = await startIngestion();
  const body = JSON.stringify({ batch: [CALL] });
  const response = await fetch(`${url}/v1/batch`, { method: 'POST', body, headers: basic(WRITE_KEY) });
  expect([response.status, response.statusText, await response.text()]).toEqual([200, 'OK', '{"success":true}']);
  expect(response.headers.get('content-type')).toMatch('application/json');
});

test('D-40: every error is JSON with error, code and message', async () => {
  const { post, store } = await startIngestion();
  const malformed = await post('/v1/batch', '{"batch":[');
  const unknownKey = await post('/v1/batch', { batch: [] }, {});
  const unknownPath = await post('/v1/unknown', {});
  const tooLarge = await post('/v1/batch', ' '.repeat(600_000));
  store.isUnavailable = true;
  const unavailable = await post('/v1/batch', { batch: [CALL] });
  const answers = [malformed, unknownKey, unknownPath, tooLarge, unavailable];
  expect(answers.map(({ status }) => status)).toEqual([400, 401, 404, 413, 503]);
  for (const { body, type } of answers) {
    expect(type).toMatch('application/json');
    expect(body).toEqual({ error: expect.any(String), code: expect.any(Number), message: expect.any(String) });
  }
});

test('D-40: a fault of the server shows nothing of its inside', async () => {
  const { post, log } = await startIngestion({
    receive: () => Promise.reject(new Error('inner detail')),
    drop: () => undefined,
  });
  const answer = await post('/v1/batch', { batch: [CALL] });
  expect(answer).toMatchObject({ status: 500, body: { code: 13 } });
  expect(JSON.stringify(answer)).not.toContain('inner detail');
  expect(log.lines).toMatchObject([{ level: 'error', fields: { reason: expect.stringContaining('inner detail') } }]);
});

test.each([
  ['no JSON', 'hello'],
  ['JSON that ends early', '{"batch":[{"type":"identify","userId":"u"}'],
  ['a list', '[]'],
  ['text', '"batch"'],
  ['null', 'null'],
  ['no batch', '{"events":[]}'],
  ['an empty body', ''],
  ['a batch that is no list', '{"batch":{}}'],
  ['a bare token in the wrong place', '{"batch":[]NaN}'],
])('D-41: %s is answered 400, and nothing is stored', async (_case, body) => {
  const { post, store } = await startIngestion();
  expect(await post('/v1/batch', body)).toMatchObject({ status: 400, body: { code: 3, error: expect.any(String) } });
  expect(store.calls).toEqual([]);
});

test.each(['2026', 'track', '__proto__', null, 7])(
  'D-42: a batch of the type %j holds calls of their own',
  async (type) => {
    const { post, store } = await startIngestion();
    expect(await post('/v1/batch', { type, batch: [CALL] })).toMatchObject({ status: 200 });
    expect(store.events).toMatchObject([{ type: 'identify' }]);
  },
);

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'text/plain;charset=UTF-8',
  'image/png',
])('D-41: JSON is read under the content type %s', async (type) => {
  const { post, store } = await startIngestion();
  const answer = await post('/v1/batch', { batch: [CALL] }, { ...basic(WRITE_KEY), 'content-type': type });
  expect(answer.status).toBe(200);
  expect(store.events).toHaveLength(1);
});

test('D-41: a body in chunks, without a length, is read', async () => {
  const { url, store } = await startIngestion();
  const answered = Promise.withResolvers<number | undefined>();
  const sending = request(`${url}/v1/batch`, { method: 'POST', headers: basic(WRITE_KEY) }, (response) => {
    response.resume().once('end', () => answered.resolve(response.statusCode));
  });
  for (const part of ['{"batch":[', JSON.stringify(CALL), ']}']) sending.write(part);
  sending.end();
  expect(await answered.promise).toBe(200);
  expect(store.events).toHaveLength(1);
});
