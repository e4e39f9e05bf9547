import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import * as module from '../../analytics/default-client.ts';
import { diskStore } from '../../analytics/node/disk-store.ts';
import { bench, MemoryLog } from '../support/analytics-bench.ts';
import { FakeServer } from '../support/analytics-fake-server.ts';
import { VirtualClock } from '../support/analytics-virtual-clock.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-store-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const inUse = (): string => `The folder ${folder} is in use by another process, or another store`;

test('LIB-2: a store that was closed has its folder again with its next client, and what the last one left', async () => {
  const store = diskStore({ folder });
  const first = bench({ store }, () => 'stall');
  first.analytics.track('u', 'kept', {}, { messageId: 'a' });
  await first.clock.until(first.analytics.close({ timeoutMs: 10 }));
  const next = bench({ store });
  expect(() => diskStore({ folder })).toThrow(inUse());
  next.analytics.track('u', 'new', {}, { messageId: 'b' });
  expect(await next.clock.until(next.analytics.close())).toMatchObject({ delivered: 2 });
  expect(next.server.acceptedIds).toEqual(['a', 'b']);
  expect(readdirSync(folder)).toEqual(['lock.sqlite']);
  diskStore({ folder }).close();
});

test('LIB-2: a store that was closed has no next client while another has its folder', async () => {
  const store = diskStore({ folder });
  await bench({ store }).analytics.close();
  const other = diskStore({ folder });
  expect(() => bench({ store })).toThrow(inUse());
  other.close();
});

test('LIB-2: two clients at a time have no store in common: neither sends what the other holds', async () => {
  const store = diskStore({ folder });
  const { analytics, clock, server } = bench({ store });
  analytics.track('u', 'e', {}, { messageId: 'a' });
  expect(() => bench({ store })).toThrow(`The store in ${folder} belongs to another client: give each its own`);
  await clock.until(analytics.close());
  expect(server.acceptedIds).toEqual(['a']);
});

test('LIB-2: the default client with a store takes no calls until its close is over, and then begins anew', async () => {
  const clock = new VirtualClock();
  const server = new FakeServer(() => clock.now(), ['stall']);
  const store = diskStore({ folder });
  Object.assign(module.settings, { writeKey: 'key', store, clock, fetch: server.fetch, logger: new MemoryLog() });
  onTestFinished(() => Object.keys(module.settings).forEach((name) => Reflect.deleteProperty(module.settings, name)));
  await module.track('u', 'e', {}, { messageId: 'a' });
  const closed = module.close({ timeoutMs: 10 });
  expect(await module.track('u', 'e', {}, { messageId: 'b' })).toMatchObject({ ok: false, reason: 'closed' });
  await clock.until(closed);
  expect(await module.track('u', 'e', {}, { messageId: 'c' })).toMatchObject({ ok: true });
  await clock.until(module.close());
  expect(server.acceptedIds).toEqual(['a', 'c']);
});

test('LIB-2: starts that keep nothing new leave no files behind', async () => {
  const stalled = () => bench({ store: diskStore({ folder }) }, () => 'stall');
  const first = stalled();
  first.analytics.track('u', 'e', {}, { messageId: 'a' });
  await first.clock.until(first.analytics.close({ timeoutMs: 10 }));
  for (let start = 0; start < 3; start += 1) {
    const { analytics, clock } = stalled();
    await clock.until(analytics.close({ timeoutMs: 10 }));
  }
  expect(readdirSync(folder)).toEqual(['000000001.jsonl', 'lock.sqlite']);
  const last = bench({ store: diskStore({ folder }) });
  await last.clock.until(last.analytics.flush());
  expect(readdirSync(folder)).toEqual(['lock.sqlite']);
  await last.analytics.close();
});

test.each([0, -1, Number.NaN])('LIB-2: files of %d bytes are none, and are refused at once', (segmentBytes) => {
  expect(() => diskStore({ folder, segmentBytes })).toThrow(
    `segmentBytes must be a number above 0, got: ${segmentBytes}`,
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('LIB-2: no folder is none, and not the one that the program runs in', () => {
  expect(() => diskStore({ folder: '' })).toThrow('folder must be the path of a folder, got an empty text');
});
