import { expect, test } from 'vitest';
import type { Draft } from '../../storage/resources/draft.ts';
import { UniqueKeys } from '../../storage/resources/unique-keys.ts';
import { NO_KEYS } from '../../storage/secrets/keyring.ts';
import { PacedWork, type PaceTime } from '../../fairness/paced-work.ts';
import { Shard } from '../../storage/file/resources/shard.ts';
import { FaultyDisk, memoryDisk, textOf } from '../support/config-disk.ts';
import { source } from '../support/config-resources.ts';

const HOME = 'workspaces/main';

/** A shard whose time is moved by hand: how often it lets others go on, and how long it rests. */
function paced(disk = new FaultyDisk()) {
  const story = { now: 0, pauses: 0, rests: Array<number>() };
  const time: PaceTime = {
    now: () => story.now,
    pause: async () => void (story.pauses += 1),
    sleep: async (ms, signal) => {
      if (signal.aborted) return;
      story.rests.push(ms);
      story.now += ms;
    },
  };
  const options = { disk, file: '/store/a.json', home: HOME, left: [], keyring: NO_KEYS, onCommit: () => {} };
  const shard = new Shard({ ...options, keys: new UniqueKeys(), time });
  const change = (slug: string, takesMs: number) =>
    shard.change((draft: Draft) => {
      story.now += takesMs;
      return draft.create('sources', source('main', slug));
    });
  return { story, time, shard, change, disk };
}

test('SAFE-2: changes that wait share a write, and others go on every 5 ms while they are made', async () => {
  const { story, change, disk } = paced();
  const made = await Promise.all(Array.from({ length: 300 }, (_, index) => change(`s${index}`, 1)));
  expect(new Set(made)).toEqual(new Set(['created']));
  expect(disk.written).toHaveLength(1);
  expect(story.pauses).toBe(60);
});

test('SAFE-2: a file rests four times what its last write took, and changes that come meanwhile share the next one', async () => {
  const { story, change, disk } = paced();
  await change('a', 100);
  expect(story.rests).toEqual([]);
  await Promise.all([change('b', 1), change('c', 1), change('d', 1)]);
  expect(story.rests).toEqual([400]);
  expect(disk.written).toHaveLength(2);
  await change('e', 1);
  story.now += 1;
  await change('f', 1);
  // What is short is not rested for.
  expect(story.rests).toEqual([400, 12]);
  // The process stood still for a day.
  await change('g', 86_400_000);
  await change('h', 1);
  expect(story.rests).toEqual([400, 12, 5_000]);
});

test('who waits while the store closes is answered without a rest', async () => {
  const { story, shard, change } = paced();
  await change('a', 100);
  const waiting = change('b', 1);
  await shard.idle();
  expect([await waiting, story.rests]).toEqual(['created', []]);
});

test('SAFE-2: a large file is made in parts, while others go on, and what they take is rested for', async () => {
  const written: number[] = [];
  const inner = memoryDisk();
  const disk = new FaultyDisk({
    ...inner,
    replace: async (file, content, draft) => {
      const parts: Uint8Array[] = [];
      for (const part of typeof content === 'string' ? [Buffer.from(content)] : content) {
        parts.push(part);
        written.push(part.length);
      }
      await inner.replace(file, parts, draft);
    },
  });
  const { shard } = paced(disk);
  const large = { ...source('main', 'large'), display_name: 'я'.repeat(100_000) };
  const count = 12;
  for (let index = 0; index < count; index += 1)
    await shard.change((draft) => draft.create('sources', { ...large, ...named(index) }));
  const last = written.slice(-5);
  expect(Math.max(...last)).toBeLessThan(800_000);
  expect(last.reduce((sum, bytes) => sum + bytes)).toBeGreaterThan(count * 200_000);
  const text = textOf((await inner.read('/store/a.json')) ?? '');
  expect(text).toBe(shard.capture()());
});

test('SAFE-2: what is made as a disk asks for it is rested for, by what making it took', async () => {
  const { story, time } = paced();
  const pace = new PacedWork(time);
  function* made(): Generator<string> {
    for (const part of ['a', 'b', 'c']) {
      story.now += 10;
      yield part;
    }
  }
  const asked = pace.parts(made());
  while (asked.next().done !== true) story.now += 1_000;
  await pace.rest();
  expect(story.rests).toEqual([120]);
});

function named(index: number) {
  const { name, write_keys } = source('main', `s${index}`);
  return { name, write_keys };
}
