import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { diskStore } from '../../analytics/node/disk-store.ts';
import { endedLine, readLines, checkedLine } from '../../analytics/node/records.ts';
import type { Store } from '../../analytics/store.ts';
import { bench } from '../support/analytics-bench.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-store-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const message = (id: string, text = '') => ({ messageId: id, json: JSON.stringify({ messageId: id, text }) });
const segments = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
const idsOf = (store: Store): string[] => store.recover().map(({ messageId }) => messageId);

const failing = (part: keyof Store): Store => ({
  recover: () => [],
  add: () => {},
  end: () => {},
  close: () => {},
  [part]: () => {
    throw new Error('disk full');
  },
});

describe('the disk store', () => {
  test('it gives back what was taken and has not ended, as it was', () => {
    const store = diskStore({ folder });
    expect(store.recover()).toEqual([]);
    for (const id of ['a', 'b', 'c']) store.add(message(id, 'Größe ✓\u2028'));
    store.end(['b']);
    store.close();
    const next = diskStore({ folder });
    expect(next.recover()).toEqual([message('a', 'Größe ✓\u2028'), message('c', 'Größe ✓\u2028')]);
    next.close();
  });

  test('a line that a crash cut off is passed over, and so is damage', () => {
    const store = diskStore({ folder });
    store.recover();
    store.add(message('a'));
    store.close();
    appendFileSync(join(folder, segments()[0] ?? ''), 'garbage\n{"messageId":"b","te');
    const next = diskStore({ folder });
    expect(idsOf(next)).toEqual(['a']);
    next.close();
  });

  test('files whose messages have ended are removed, oldest first', () => {
    const store = diskStore({ folder, segmentBytes: 200 });
    store.recover();
    for (let n = 0; n < 8; n += 1) store.add(message(`m${n}`, 'x'.repeat(100)));
    const before = segments().length;
    expect(before).toBeGreaterThan(3);
    // The oldest is still open, so that no later file may go: it could say that an older message has ended.
    store.end(Array.from({ length: 7 }, (_, n) => `m${n + 1}`));
    expect(segments().length).toBeGreaterThanOrEqual(before);
    store.end(['m0']);
    expect(segments()).toHaveLength(1);
    store.close();
    expect(readdirSync(folder)).toEqual(['lock.sqlite']);
  });

  test('a relative folder stays where it was when the program goes on in another', () => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      const store = diskStore({ folder: 'queue', segmentBytes: 200 });
      store.recover();
      process.chdir(tmpdir());
      for (let n = 0; n < 5; n += 1) store.add(message(`m${n}`, 'x'.repeat(100)));
      store.close();
    } finally {
      process.chdir(before);
    }
    expect(readdirSync(join(folder, 'queue'))).toContain('000000003.jsonl');
  });

  test('the file of a busy client with an empty queue does not grow', () => {
    const store = diskStore({ folder });
    store.recover();
    for (let n = 0; n < 1000; n += 1) {
      store.add(message(`m${n}`, 'x'.repeat(1000)));
      store.end([`m${n}`]);
    }
    expect(statSync(join(folder, segments()[0] ?? '')).size).toBeLessThan(100_000);
    store.close();
  });

  test('a file in which all has ended is emptied at 64 KiB, and not before', () => {
    const sizes = [65_535, 65_536].map((wanted) => {
      const store = diskStore({ folder });
      store.recover();
      store.add(message('m', 'x'.repeat(wanted - checkedLine(message('m').json).length - 1)));
      store.end(['m']);
      const { size } = statSync(join(folder, segments()[0] ?? ''));
      store.close();
      return size;
    });
    expect(sizes).toEqual([65_535 + endedLine(['m']).length + 1, 0]);
  });

  test('no file is emptied while a message in it has not ended, however long it is', () => {
    const store = diskStore({ folder });
    store.recover();
    store.add(message('open'));
    store.add(message('long', 'x'.repeat(100_000)));
    store.end(['long']);
    store.close();
    const next = diskStore({ folder });
    expect(idsOf(next)).toEqual(['open']);
    next.close();
  });

  test('what is taken after all before it has ended is kept', () => {
    const store = diskStore({ folder });
    store.recover();
    store.add(message('a'));
    store.end(['a', 'never taken']);
    store.add(message('b'));
    store.close();
    const next = diskStore({ folder });
    expect(idsOf(next)).toEqual(['b']);
    next.close();
  });

  test('a file that is as long as it may be is followed by another, and one byte less leaves room', () => {
    const line = checkedLine(message('m0').json).length + 1;
    const files = [line, line + 1].map((segmentBytes) => {
      const store = diskStore({ folder, segmentBytes });
      store.recover();
      for (const id of ['m0', 'm1']) store.add(message(id));
      const { length } = segments();
      store.end(['m0', 'm1']);
      store.close();
      return length;
    });
    expect(files).toEqual([2, 1]);
  });

  test('a store that is closed takes nothing, and says so', () => {
    const store = diskStore({ folder });
    store.recover();
    store.close();
    expect(() => store.add(message('late'))).toThrow(`The store in ${folder} is closed`);
    expect(() => store.end(['late'])).toThrow('is closed');
    expect(readdirSync(folder)).toEqual(['lock.sqlite']);
  });

  test('the files of a folder are read by their number, and those of others are left alone', () => {
    for (const [name, text] of [
      ['000000002.jsonl', '{"messageId":"b"}\n{"ended":["a"]}\n'],
      ['000000001.jsonl', '{"messageId":"a"}\n'],
      ['notes.jsonl', '{"messageId":"c"}\n'],
    ] as const) {
      writeFileSync(join(folder, name), text);
    }
    const store = diskStore({ folder });
    expect(idsOf(store)).toEqual(['b']);
    store.add(message('c'));
    expect(segments().toSorted()).toEqual(['000000002.jsonl', '000000003.jsonl', 'notes.jsonl']);
    store.end(['b', 'c']);
    store.close();
    expect(segments()).toEqual(['notes.jsonl']);
  });

  test('of a line that is neither a message nor an end nothing is read', () => {
    const damage = ['null', '5', '"text"', '[]', '{}', '{"messageId":5}', '{"ended":"a"}', '{"ended":[5]}', '', '{'];
    const text = [...damage, '{"messageId":"a"}', '{"ended":["b",5]}', '{"messageId":"cut"}'].join('\n');
    expect(readLines(text)).toEqual({
      lines: [
        { kind: 'ended', ids: [] },
        { kind: 'taken', message: { messageId: 'a', json: '{"messageId":"a"}' } },
        { kind: 'ended', ids: ['b'] },
      ],
      damaged: 9,
    });
  });

  test('files are readable by their owner alone', () => {
    const store = diskStore({ folder: join(folder, 'inner') });
    store.recover();
    store.add(message('m'));
    const modes = ['inner', 'inner/lock.sqlite', 'inner/000000001.jsonl'].map(
      (name) => statSync(join(folder, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600]);
    store.close();
  });

  test('of two messages with one id the later is kept, once', () => {
    const store = diskStore({ folder, segmentBytes: 100 });
    store.recover();
    store.add(message('same', 'x'.repeat(100)));
    store.add(message('same', 'later'));
    store.close();
    const next = diskStore({ folder });
    expect(next.recover()).toEqual([message('same', 'later')]);
    next.end(['same']);
    expect(segments()).toEqual([]);
    next.close();
    expect(readdirSync(folder)).toEqual(['lock.sqlite']);
  });

  test('a second store of this process in the folder is refused', () => {
    const store = diskStore({ folder });
    expect(() => diskStore({ folder })).toThrow(`The folder ${folder} is in use by another process, or another store`);
    store.close();
    diskStore({ folder }).close();
  });
});

describe('a client with a store', () => {
  test('a message that cannot be kept is refused', async () => {
    const { analytics } = bench({ store: failing('add') });
    expect(analytics.track('u', 'e')).toEqual({
      ok: false,
      reason: 'not_stored',
      message: 'the store threw Error: disk full',
    });
  });

  test.each(['end', 'close'] as const)('a store that fails to %s harms no delivery', async (part) => {
    const { analytics, clock, log } = bench({ store: failing(part) });
    analytics.track('u', 'e');
    expect(await clock.until(analytics.close())).toMatchObject({ delivered: 1 });
    expect(log.lines).toEqual([expect.stringContaining('disk full')]);
  });

  test('what close could not send stays for the next process', async () => {
    const first = bench({ store: diskStore({ folder }) }, () => 'stall');
    first.analytics.track('u', 'kept', {}, { messageId: 'm' });
    expect((await first.clock.until(first.analytics.close({ timeoutMs: 10 }))).unsent).toHaveLength(1);
    const second = bench({ store: diskStore({ folder }) });
    expect(second.analytics.statistics.inFlight).toBe(1);
    expect(await second.clock.until(second.analytics.close())).toMatchObject({ delivered: 1 });
    expect(second.server.acceptedIds).toEqual(['m']);
  });

  test('one that may not send leaves the store as it is', async () => {
    const kept = { ...failing('end'), end: () => {}, recover: () => [message('m')] };
    const { analytics, clock, server } = bench({ send: false, store: kept });
    expect(analytics.statistics.queued).toBe(0);
    await clock.until(analytics.close());
    expect(server.requests).toEqual([]);
  });

  test('what the server rejects is not kept', async () => {
    const { analytics, clock } = bench({ store: diskStore({ folder }) }, [400]);
    analytics.track('u', 'bad');
    await clock.until(analytics.close());
    const next = diskStore({ folder });
    expect(next.recover()).toEqual([]);
    next.close();
  });

  test.each(['reset', 503, { status: 429, retryAfter: '300' }] as const)(
    'what meets an outage of a day, %j, waits for its end',
    async (step) => {
      const day = 86_400_000;
      let isDown = true;
      const { analytics, clock, server, log } = bench({ store: diskStore({ folder }) }, () => (isDown ? step : 200));
      analytics.track('u', 'kept', {}, { messageId: 'm' });
      await clock.advance(day);
      isDown = false;
      expect(await clock.until(analytics.flush())).toMatchObject({ delivered: 1 });
      expect(server.acceptedIds).toEqual(['m']);
      expect(log.lines).toEqual([expect.stringContaining('messages were not delivered yet (')]);
      await clock.until(analytics.close());
    },
  );

  test('a limit of retries that is given counts with a store as well, and what it gives up is not kept', async () => {
    const { analytics, clock } = bench({ store: diskStore({ folder }), maxRetries: 1 }, () => 500);
    analytics.track('u', 'given up');
    expect(await clock.until(analytics.close())).toMatchObject({ timedOut: false, unsent: [{ event: 'given up' }] });
    const next = diskStore({ folder });
    expect(next.recover()).toEqual([]);
    next.close();
  });

  test('what is kept is what is sent', async () => {
    const { analytics, clock, server } = bench({ store: diskStore({ folder }) });
    analytics.track('u', 'Größe');
    const [line] = readLines(readFileSync(join(folder, segments()[0] ?? ''), 'utf8')).lines;
    await clock.until(analytics.flush());
    expect(line).toMatchObject({ kind: 'taken', message: { json: JSON.stringify(server.accepted[0]) } });
    await clock.until(analytics.close());
  });
});
