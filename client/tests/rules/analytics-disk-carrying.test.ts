import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diskStore } from '../../analytics/node/disk-store.ts';
import { failing } from '../support/analytics-bad-disk.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waybill-carrying-'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const message = (id: string) => ({ messageId: id, json: JSON.stringify({ messageId: id, text: 'x'.repeat(100) }) });
const newFolder = (): string => mkdtempSync(join(root, 'folder-'));
const segmentsIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

/** What the next process would find if this one was killed now. */
function leftIn(folder: string): string[] {
  const image = newFolder();
  for (const name of segmentsIn(folder)) cpSync(join(folder, name), join(image, name));
  const next = diskStore({ folder: image });
  const ids = next.recover().map(({ messageId }) => messageId);
  next.close();
  return ids;
}

test('LIB-2: messages that wait while thousands of later ones are delivered keep a few files, and are kept', () => {
  const folder = newFolder();
  const store = diskStore({ folder, segmentBytes: 1_000 });
  store.recover();
  for (const id of ['stuck', 'too']) store.add(message(id));
  for (let n = 0; n < 3_000; n += 1) {
    store.add(message(`m${n}`));
    store.end([`m${n}`]);
  }
  expect(segmentsIn(folder).length).toBeLessThan(12);
  expect(leftIn(folder)).toEqual(['stuck', 'too']);
  store.end(['stuck', 'too']);
  store.close();
  expect(segmentsIn(folder)).toEqual([]);
});

test('LIB-2: what a disk damaged meanwhile keeps no files, and costs no others', () => {
  const folder = newFolder();
  const store = diskStore({ folder, segmentBytes: 1_000 });
  store.recover();
  for (const id of ['damaged', 'stuck']) store.add(message(id));
  const path = join(folder, '000000001.jsonl');
  writeFileSync(path, readFileSync(path, 'utf8').replace('{"messageId":"damaged"', '{"messag\0\0\0'));
  for (let n = 0; n < 300; n += 1) {
    store.add(message(`m${n}`));
    store.end([`m${n}`]);
  }
  expect(segmentsIn(folder).length).toBeLessThan(12);
  expect(leftIn(folder)).toEqual(['stuck']);
  store.close();
});

test('LIB-2: those that cannot be written anew stay where they are', () => {
  const folder = newFolder();
  const store = diskStore({ folder, segmentBytes: 200 });
  store.recover();
  for (const id of ['stuck', ...Array.from('abcdefghijklmnopq')]) store.add(message(id));
  {
    using _ = failing('EIO', 'readFileSync');
    expect(() => store.end(Array.from('abcdefghijklmnop'))).toThrow('EIO');
  }
  expect(leftIn(folder)).toEqual(['stuck', 'q']);
  store.end(['q']);
  expect(segmentsIn(folder).length).toBeLessThan(4);
  expect(leftIn(folder)).toEqual(['stuck']);
  store.close();
});

test('LIB-2: whatever ends in whatever order, all that has not is found after a kill', () => {
  const steps = fc.array(fc.tuple(fc.nat(2), fc.nat(40)), { minLength: 50, maxLength: 200 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 150, max: 600 }), (story, segmentBytes) => {
      const folder = newFolder();
      const store = diskStore({ folder, segmentBytes });
      store.recover();
      const open = new Set<string>();
      for (const [step, number] of story) {
        const id = `m${number}`;
        if (step === 0) store.end([id]);
        else store.add(message(id));
        if (step === 0) open.delete(id);
        else open.add(id);
      }
      expect(leftIn(folder).toSorted()).toEqual([...open].toSorted());
      store.close();
    }),
    { numRuns: 100, seed: 20_261_129 },
  );
});
