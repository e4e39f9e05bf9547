import { expect, test } from 'vitest';
import type { ConfigStore } from '../../storage/config-store.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import type { Disk } from '../../storage/file/resources/disk.ts';
import { author } from '../conformance/config-store-audit.ts';
import { memoryDisk } from '../support/config-disk.ts';
import { source, workspace } from '../support/config-resources.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { leftoversOf, PowerCutDisk, type PowerCutOptions } from '../support/power-cut-disk.ts';

const FOLDER = '/store';
const JS = 'workspaces/main/sources/js';
/** Steps of all writes of a story together, and more. */
const STEPS = 50;
const MADE = ['make'];

interface Story extends Pick<PowerCutOptions, 'skips'> {
  /** Changes that were made before the first one that may be cut. */
  readonly before: number;
  readonly through?: (disk: PowerCutDisk) => Disk;
}

function open(disk: Disk): Promise<ConfigStore> {
  return openConfigStore({ folder: FOLDER, disk, log: new RecordingLog() });
}

/** The source says which change it has, and so does the entry of each. */
async function change(store: ConfigStore, number: number): Promise<void> {
  const display_name = `change ${number}`;
  await store.update('sources', JS, (one) => ({ ...one, display_name }), author(display_name));
}

/** The files that a store leaves which made so many changes. */
async function filesAfter(changes: number): Promise<Map<string, string>> {
  const disk = new PowerCutDisk({ first: 'file' });
  const store = await open(disk);
  await store.create('workspaces', workspace('main', '00000000aa'));
  await store.create('sources', source('main', 'js'), undefined, undefined, author('make'));
  for (let number = 0; number < changes; number += 1) await change(store, number);
  return disk.after({ isLeft: () => true, characters: Infinity });
}

interface Found {
  /** The last change that is there, as the source has it. */
  readonly last: string;
  readonly operations: readonly string[];
}

async function found(store: ConfigStore): Promise<Found> {
  const rows = await store.list('audit-entries', 'workspaces/main', { after: 0, limit: 10_000 });
  const js = await store.get('sources', JS);
  return { last: js?.display_name ?? '', operations: rows.map(({ resource }) => resource.operation) };
}

function operationsUpTo(last: number): string[] {
  return [...MADE, ...Array.from({ length: last + 1 }, (_, number) => `change ${number}`)].slice(-1_000);
}

/** What is wrong with what a cut left, after so many changes were answered; undefined when nothing is. */
async function faultOf(files: ReadonlyMap<string, string>, answered: number): Promise<string | undefined> {
  const disk = memoryDisk(files);
  try {
    const { last, operations } = await found(await open(disk));
    const number = last === 'js' ? -1 : Number(last.replace('change ', ''));
    if (number < answered - 1) return `${answered} changes were answered, and the last one is ${last}`;
    expect(operations).toEqual(operationsUpTo(number));
    // It can go on from there, far enough for entries to be moved again.
    const again = await open(disk);
    for (let next = number + 1; next < number + 40; next += 1) await change(again, next);
    expect((await found(await open(disk))).operations).toEqual(operationsUpTo(number + 39));
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** Cuts the power before every step of three changes, and opens a store on everything that this may leave. */
async function verdictOf({ before, through, skips }: Story): Promise<{ cases: number; broken?: string }> {
  const files = await filesAfter(before);
  const seen = new Set<string>();
  for (let cutBefore = 0; cutBefore < STEPS; cutBefore += 1) {
    const disk = new PowerCutDisk({
      first: 'file',
      cutBefore,
      found: files,
      ...(skips === undefined ? {} : { skips }),
    });
    const answered = await live(through?.(disk) ?? disk, before).catch(() => before);
    for (const leftover of leftoversOf(disk)) {
      const left = disk.after(leftover);
      const key = JSON.stringify([...left]);
      if (seen.has(key)) continue;
      seen.add(key);
      const fault = await faultOf(left, answered);
      if (fault !== undefined) return { cases: seen.size, broken: `cut before step ${cutBefore}: ${fault}` };
    }
    if (!disk.isCut) return { cases: seen.size };
  }
  throw new Error('the story never came to its end');
}

/** Answers how many changes were answered before the power went. */
async function live(disk: Disk, before: number): Promise<number> {
  const store = await open(disk);
  for (let number = before; number < before + 3; number += 1) {
    const isMade = await change(store, number).then(
      () => true,
      () => false,
    );
    if (!isMade) return number;
  }
  return before + 3;
}

/** Entries of these are moved out of the file of their changes with the second or third one. */
const [FIRST, LATER, ANEW] = [30, 62, 2_014];

test.each([
  ['into a new file', FIRST],
  ['to the end of the file', LATER],
])('CFG-27: a power cut at any step leaves each change with its entry: entries moved %s', async (_what, before) => {
  const { cases, broken } = await verdictOf({ before });
  expect(broken).toBeUndefined();
  expect(cases).toBeGreaterThan(20);
});

test('CFG-27: nor does one part them while a long file is written anew', async () => {
  expect((await verdictOf({ before: ANEW })).broken).toBeUndefined();
});

// The twins: what the story is there to find.
test.each<[string, Story, string]>([
  ['appends that are not synced', { before: LATER, skips: 'append' }, 'entries of the audit it has'],
  ['names that do not last', { before: FIRST, through: withoutRemovals }, "expected [ 'change"],
])('CFG-27: a disk with %s is found out', async (_what, story, fault) => {
  expect((await verdictOf(story)).broken).toContain(fault);
});

function withoutRemovals(disk: PowerCutDisk): Disk {
  return {
    names: (folder) => disk.names(folder),
    read: (file) => disk.read(file),
    replace: (file, text, draft) => disk.replace(file, text, draft),
    append: (file, text) => disk.append(file, text),
    rename: (draft, file) => disk.rename(draft, file),
    remove: async () => {},
  };
}
