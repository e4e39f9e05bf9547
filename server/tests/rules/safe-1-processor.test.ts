import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { costOf } from '../../../scripts/strangers/cost.ts';
import { HOSTILE_REQUESTS, MAX_MS } from '../../../scripts/strangers/requests.ts';
import { ApiError } from '../../http/errors.ts';
import { queryOf } from '../../http/validation.ts';
import { addressOf } from '../../ingestion/addresses.ts';
import { keysInText } from '../../ingestion/caller.ts';
import { startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';
import { type MeasuredProcess, startMeasured } from '../support/measured-process.ts';

/** A busy machine makes the same work dearer; what these requests cost before was ten times as much. */
const MARGIN = 3;
/** Whatever it finds is enough. */
const ONE_ROUND = Number.MAX_VALUE;

let folder: string;
let router: MeasuredProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-processor-'));
  const flags = ['--port=0', `--data-dir=${folder}`, '--token=processor-test-token-0123', '--rate-limit=0'];
  router = await startMeasured('./measured-router.ts', flags);
});

afterAll(async () => {
  await router[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test.each(HOSTILE_REQUESTS)('SAFE-1: $what costs little of the processor', async (hostile) => {
  const most = MARGIN * (hostile.mostMs ?? MAX_MS);
  expect(await costOf(router, hostile, most)).toBeLessThan(most);
});

test('SAFE-1: a server that takes long for a request is found out', async () => {
  await using naive = await startMeasured('./measured-naive.ts', []);
  const [query] = HOSTILE_REQUESTS.filter(({ what }) => what === 'a query of one name');
  if (query === undefined) throw new Error('the request is gone');
  expect(await costOf(naive, query, ONE_ROUND)).toBeGreaterThan(MARGIN * MAX_MS);
});

test('SAFE-1: a query of too many parameters is refused', () => {
  expect(queryOf('a=1&b=2&a=3&__proto__=4&c')).toEqual(
    Object.fromEntries([
      ['a', ['1', '3']],
      ['b', '2'],
      ['__proto__', '4'],
      ['c', ''],
    ]),
  );
  expect(queryOf('')).toEqual({});
  expect(Object.keys(queryOf('a=1&'.repeat(400)))).toEqual(['a']);
  expect(() => queryOf('&'.repeat(500))).toThrow(ApiError);
});

test('SAFE-1: keys are found in the text of a body', () => {
  const text =
    '{"batch":[{"writeKey":"a"},{"properties":{"x":"\\"writeKey\\":\\"no\\""}}],"writeKey" :\n"id:\\/b","é":1}';
  expect(keysInText(Buffer.from(text))).toEqual(['a', 'id:/b']);
  expect(keysInText(Buffer.from('{"writeKey":null,"writekey":"c"}'))).toEqual([]);
  expect(keysInText(Buffer.from('{"writeKey":"a"}'.repeat(50_000)))).toEqual(['a']);
});

test('SAFE-1: a large body is parsed where a known key is in it, and is a 401 otherwise', async () => {
  const { post, store } = await startIngestion();
  const batch = [{ type: 'identify', userId: 'u' }];
  const large = (writeKey?: string): string =>
    `{"x":"${' '.repeat(50_000)}",${JSON.stringify({ batch, writeKey }).slice(1)}`;
  expect(await post('/v1/batch', large(WRITE_KEY), {})).toMatchObject({ status: 200 });
  expect(await post('/v1/batch', large('unknown'), {})).toMatchObject({ status: 401 });
  expect(await post('/v1/batch', large(), {})).toMatchObject({ status: 401 });
  expect(await post('/v1/batch', ' '.repeat(50_000), {})).toMatchObject({ status: 401 });
  expect(await post('/v1/batch', large(), undefined)).toMatchObject({ status: 200 });
  expect(store.events).toHaveLength(2);
});

test('SAFE-1: of addresses only what leads to one is dropped, however many times it is there', () => {
  const known = new Set(['batch', 'track']);
  expect(addressOf(`/${'v1/'.repeat(5_000)}batch`, known)).toBe('/v1/batch');
  expect(addressOf('/v1/batch/batch/v1/track', known)).toBe('/v1/track');
});
