import { expect, test } from 'vitest';
import { basic, startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

const ORIGIN = 'https://shop.example';

test.each(['/v1/p', '/v1/b', '/v1/batch', '/v1/m', '/v1/projects/k/settings', '/v1/v1/t'])(
  'ING-1: a browser that asks may call %s',
  async (path) => {
    const { url } = await startIngestion();
    const headers = {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,x-retry-count,x-own',
    };
    const answer = await fetch(url + path, { method: 'OPTIONS', headers });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-allow-headers': 'authorization,x-retry-count,x-own',
      'access-control-max-age': '86400',
      vary: expect.stringContaining('Origin'),
    });
  },
);

test('ING-1: a preflight that names no headers is told the usual ones', async () => {
  const { url } = await startIngestion();
  const answer = await fetch(`${url}/v1/t`, { method: 'OPTIONS', headers: { origin: ORIGIN } });
  expect(answer.headers.get('access-control-allow-headers')).toBe('authorization, content-type, x-retry-count');
});

test('ING-1: a page may read every answer, errors too', async () => {
  const { url } = await startIngestion();
  const body = JSON.stringify({ batch: [{ type: 'identify', userId: 'u' }] });
  const post = (path: string, key: string): Promise<Response> =>
    fetch(url + path, { method: 'POST', body, headers: { ...basic(key), origin: ORIGIN } });
  const answers = [await post('/v1/b', WRITE_KEY), await post('/v1/b', 'unknown'), await post('/v1/none', WRITE_KEY)];
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 404]);
  for (const { headers } of answers) {
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
  }
});

test('ING-1: without an origin nothing is said of origins', async () => {
  const { url } = await startIngestion();
  const answer = await fetch(`${url}/v1/m`, { method: 'POST' });
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});
