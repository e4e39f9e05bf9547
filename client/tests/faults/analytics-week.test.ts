import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diskStore } from '../../analytics/node/index.ts';
import { bench } from '../support/analytics-bench.ts';
import { FakeServer, type Step } from '../support/analytics-fake-server.ts';
import { VirtualClock } from '../support/analytics-virtual-clock.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waybill-week-'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const DAY_MS = 86_400_000;
const TROUBLES: readonly Step[] = ['reset', 503, 404, { status: 429, retryAfter: '60' }, 'reset lost', 'stall'];

const segmentsIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

/** The folder as a process leaves it that is killed now, in the middle of a line or not. */
function crashImage(folder: string, isTorn: boolean): string {
  const image = mkdtempSync(join(root, 'folder-'));
  for (const name of segmentsIn(folder)) cpSync(join(folder, name), join(image, name));
  const last = segmentsIn(image).toSorted().at(-1);
  if (isTorn && last !== undefined) appendFileSync(join(image, last), '{"messageId":"never taken","te');
  return image;
}

/** One life of the program: what it calls, how far its wall clock is set in it, and how it is killed. */
const life = fc.record({
  calls: fc.nat(80),
  setMs: fc.integer({ min: -30 * DAY_MS, max: 30 * DAY_MS }),
  lastsMs: fc.nat(DAY_MS),
  trouble: fc.constantFrom(...TROUBLES),
  isUp: fc.nat(9).map((number) => number === 0),
  isTorn: fc.boolean(),
  uploadSize: fc.integer({ min: 1, max: 50 }),
  segmentBytes: fc.integer({ min: 200, max: 20_000 }),
});

test('LIB-2: of a week without a router, with kills and a clock that is set, all that was kept arrives', async () => {
  const week = fc.array(life, { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(week, async (lives) => {
      const clock = new VirtualClock();
      let now: Step = 200;
      const server = new FakeServer(
        () => clock.now(),
        () => now,
      );
      const kept: string[] = [];
      const refusals = new Set<string>();
      let folder = mkdtempSync(join(root, 'folder-'));
      for (const { calls, setMs, lastsMs, trouble, isUp, isTorn, ...options } of lives) {
        now = isUp ? 200 : trouble;
        const { segmentBytes, uploadSize } = options;
        const store = diskStore({ folder, segmentBytes });
        const { analytics } = bench({ clock, fetch: server.fetch, store, uploadSize, maxQueueSize: 200 });
        for (let call = 0; call < calls; call += 1) {
          const messageId = `m${kept.length}`;
          const result = analytics.track('ada', 'E', {}, { messageId });
          if (result.ok) kept.push(messageId);
          else refusals.add(result.reason);
        }
        await clock.advance(lastsMs / 2);
        clock.set(setMs);
        await clock.advance(lastsMs / 2);
        const image = crashImage(folder, isTorn);
        // It is dead, and whatever it does from here on is in its own folder.
        await clock.until(analytics.close({ timeoutMs: 0 }));
        folder = image;
      }
      now = 200;
      const last = bench({ clock, fetch: server.fetch, store: diskStore({ folder }) });
      await clock.until(last.analytics.close({ timeoutMs: DAY_MS }));
      expect(new Set(server.acceptedIds)).toEqual(new Set(kept));
      expect(['queue_full']).toEqual(expect.arrayContaining([...refusals]));
      expect(segmentsIn(folder)).toEqual([]);
    }),
    { numRuns: 8, seed: 20_261_129 },
  );
});

const damage = fc.array(fc.tuple(fc.nat(5_000), fc.nat(255)), { minLength: 1, maxLength: 20 });

test('LIB-2: whatever bytes a disk damaged, a client starts, and sends each line that is whole', async () => {
  await fc.assert(
    fc.asyncProperty(damage, fc.nat(5_000), async (bytes, length) => {
      const folder = mkdtempSync(join(root, 'folder-'));
      const before = diskStore({ folder });
      before.recover();
      for (let n = 0; n < 40; n += 1) before.add({ messageId: `m${n}`, json: `{"messageId":"m${n}","event":"Größe"}` });
      before.close();
      const path = join(folder, '000000001.jsonl');
      const lines = new Set(readFileSync(path, 'latin1').split('\n'));
      const damaged = readFileSync(path).subarray(0, Math.max(length, 1_000));
      for (const [at, byte] of bytes) damaged[at % damaged.length] = byte;
      writeFileSync(path, damaged);
      const left = damaged.toString('latin1').split('\n').slice(0, -1);
      const whole = left.filter((line) => lines.has(line)).map((line) => /m\d+/.exec(line)?.[0]);
      const { analytics, clock, server } = bench({ store: diskStore({ folder }) });
      await clock.until(analytics.close());
      expect(server.acceptedIds).toEqual(expect.arrayContaining(whole));
    }),
    { numRuns: 100, seed: 20_261_129 },
  );
});
