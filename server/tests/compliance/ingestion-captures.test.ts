import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { type Capture, readCaptures, WRITE_KEY } from '../../../scripts/captures/capture.ts';
import { deliveriesText } from '../../../scripts/captures/deliveries.ts';
import { openPlace, type Place } from '../../../scripts/captures/place.ts';
import { replay } from '../../../scripts/captures/replay.ts';
import { splitRequests } from '../../../scripts/captures/split.ts';

const CAPTURES = readCaptures();

async function startPlace(): Promise<Place> {
  const place = await openPlace();
  onTestFinished(() => place[Symbol.asyncDispose]());
  return place;
}

/** The status lines of all requests, sent one after another. */
async function replayAll(place: Place, { requests }: Capture): Promise<string[]> {
  const lines: string[] = [];
  for (const request of requests) lines.push(await replay(place.url, request));
  return lines;
}

test.each(CAPTURES)('ING-4, D-40: $name byte for byte reaches a webhook as it did', async (capture) => {
  const place = await startPlace();
  expect(new Set(await replayAll(place, capture))).toEqual(new Set(['HTTP/1.1 200 OK']));
  const delivered = await place.delivered(capture.about.events);
  expect(JSON.parse(deliveriesText(delivered))).toEqual(JSON.parse(capture.expected));
});

test('ING-10, D-43: a capture that is sent twice is delivered once', async () => {
  const place = await startPlace();
  const [capture] = CAPTURES.filter(({ name }) => name === 'analytics-node-3');
  if (capture === undefined) throw new Error('no capture of the package is stored');
  await replayAll(place, capture);
  await replayAll(place, capture);
  await replay(
    place.url,
    Buffer.from(`GET /v1/pixel/track?userId=u&event=Last&writeKey=${WRITE_KEY} HTTP/1.1\r\nHost: a\r\n\r\n`),
  );
  const delivered = await place.delivered(capture.about.events + 1);
  expect(delivered.filter(({ event }) => event === 'Last')).toHaveLength(1);
  expect(delivered).toHaveLength(7);
});

test('ING-1: a capture with another key is refused, so that a replay can fail', async () => {
  const place = await startPlace();
  const { requests = [] } = CAPTURES.find(({ name }) => name === 'http-api') ?? {};
  const foreign = requests.map((request) =>
    Buffer.from(request.toString('latin1').replace(WRITE_KEY, 'x'.repeat(32)), 'latin1'),
  );
  expect(await Promise.all(foreign.map((request) => replay(place.url, request)))).toEqual([
    'HTTP/1.1 401 Unauthorized',
  ]);
});

test('captures of packages are of the versions that are installed', () => {
  const recorded = CAPTURES.filter(({ about }) => about.origin === 'recorded').map(({ about }) => about);
  const {
    dependencies,
    devDependencies,
  }: Record<'dependencies' | 'devDependencies', Record<string, string>> = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  const installed = { ...dependencies, ...devDependencies };
  const packages = ['@segment/analytics-node', '@segment/analytics-next', 'analytics-node'];
  expect(new Set(recorded.map(({ package: name }) => name))).toEqual(new Set(packages));
  for (const about of recorded)
    expect([about.package, about.version]).toEqual([about.package, installed[about.package]]);
});

test('requests on one connection are told apart by their lengths', () => {
  const plain = Buffer.from('POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc');
  const chunked = Buffer.from('POST /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n');
  const bare = Buffer.from('GET /c HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(splitRequests(Buffer.concat([plain, chunked, bare, plain]))).toEqual([plain, chunked, bare, plain]);
  expect(() => splitRequests(plain.subarray(0, -1))).toThrow('within the body');
  expect(() => splitRequests(plain.subarray(0, 10))).toThrow('within the headers');
});
