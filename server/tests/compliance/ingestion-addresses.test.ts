import { expect, test } from 'vitest';
import { loadDocument, operationsOf } from '../../http/document.ts';
import { addressOf } from '../../ingestion/addresses.ts';
import { basic, SOURCE, startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

const BATCH = { batch: [{ type: 'identify', userId: 'u' }], writeKey: WRITE_KEY };
const TRACK = { userId: 'u', event: 'E', writeKey: WRITE_KEY };

test.each(['/v1/batch', '/v1/import', '/v1/import/', '/v1/b', '/v1/batch/'])(
  'ING-1: a batch is taken at %s',
  async (path) => {
    const { post, store } = await startIngestion();
    expect(await post(path, BATCH, {})).toMatchObject({ status: 200, body: { success: true } });
    expect(store.events).toHaveLength(1);
  },
);

test.each([
  ['i', 'identify', {}],
  ['t', 'track', { event: 'E' }],
  ['p', 'page', {}],
  ['s', 'screen', {}],
  ['g', 'group', { groupId: 'g' }],
  ['a', 'alias', { previousId: 'p' }],
])('ING-4: the address /v1/%s takes %s calls', async (letter, type, fields) => {
  const { post, store } = await startIngestion();
  const body = { userId: 'u', writeKey: WRITE_KEY, ...fields };
  expect(await post(`/v1/${letter}`, body, { 'content-type': 'text/plain' })).toMatchObject({ status: 200 });
  expect(store.events).toMatchObject([{ type }]);
});

test.each([
  ['/batch', BATCH],
  ['/v1/v1/batch', BATCH],
  ['//v1//batch', BATCH],
  ['/v1/batch/b', BATCH],
  ['/v1/batch/v1/batch', BATCH],
  ['/b', BATCH],
  ['/import/', BATCH],
  ['/v1/v1/t', TRACK],
  ['/t', TRACK],
  ['/track', TRACK],
])('ING-1: a host that was set wrong still reaches ingestion at %s', async (path, body) => {
  const { post, store } = await startIngestion();
  expect(await post(path, body, {})).toMatchObject({ status: 200, body: { success: true } });
  expect(store.events).toHaveLength(1);
});

test.each(['/v1beta/batch', '/healthz', '/readyz', '/', '/v1', '/v10/batch', '/batches', '/x/v1/batch'])(
  'ING-1: %s is no address of ingestion',
  (path) => {
    const known = new Set(
      operationsOf(loadDocument('ingestion-api')).map(({ template }) => template.split('/')[2] ?? ''),
    );
    expect(addressOf(path, known)).toBeUndefined();
  },
);

test('ING-1: every address of the contract is its own canonical form', () => {
  const templates = operationsOf(loadDocument('ingestion-api')).map(({ template }) => template);
  const known = new Set(templates.map((template) => template.split('/')[2] ?? ''));
  for (const template of templates) {
    for (const path of [
      template,
      `${template}/`,
      `/v1${template}`,
      template.slice(3),
      template.replaceAll('/', '//'),
    ]) {
      expect(addressOf(path, known)).toBe(template);
    }
  }
  expect(templates).toContain('/v1/token');
});

test.each(['{"series":[{"type":"Counter","metric":"analytics_js.invoke","value":1}]}', 'no json', ''])(
  'D-40: reports of a library on itself are answered, and ignored: %s',
  async (body) => {
    const { post, store, dropped } = await startIngestion();
    expect(await post('/v1/m', body, { ...basic('nobody') })).toMatchObject({ status: 200, body: { success: true } });
    expect([store.calls.length, dropped.of(SOURCE).size]).toEqual([0, 0]);
  },
);

test('ING-1: HEAD is an empty 200 at each address, and a 404 elsewhere', async () => {
  const { url } = await startIngestion();
  const statusOf = async (path: string): Promise<number> => (await fetch(url + path, { method: 'HEAD' })).status;
  for (const path of ['/v1/batch', '/v1/t', '/v1/m', '/v1/import/', '/v1/pixel/track']) {
    expect(await statusOf(path)).toBe(200);
  }
  expect(await statusOf('/v1/nothing')).toBe(404);
});

const TEMPLATES = operationsOf(loadDocument('ingestion-api')).map(({ template }) => template);

test.each(TEMPLATES)('ING-1: %s answers OPTIONS and HEAD, with a /v1 too many or too few', async (template) => {
  const { url } = await startIngestion();
  const path = template.replace('{call}', 'track').replace('{writeKey}', WRITE_KEY);
  for (const spelt of [path, `/v1${path}`, path.slice(3), `${path}/`]) {
    for (const method of ['OPTIONS', 'HEAD']) {
      const answer = await fetch(url + spelt, { method, headers: { origin: 'https://a.example' } });
      expect([method, spelt, answer.status, await answer.text()]).toEqual([method, spelt, 200, '']);
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://a.example');
    }
  }
});
