import { expect, test } from 'vitest';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import type { Disk } from '../../storage/file/resources/disk.ts';
import { memoryDisk } from '../support/config-disk.ts';
import { source, workspace } from '../support/config-resources.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { leftoversOf, PowerCutDisk, type PowerCutOptions } from '../support/power-cut-disk.ts';

const FOLDER = '/store';
const SLUGS = ['s0', 's1', 's2', 's3', 's4'];
/** Steps of all writes of a story together, and more. */
const STEPS = 50;

interface Story extends Omit<PowerCutOptions, 'cutBefore'> {
  /** What stands between the store and the disk. */
  readonly through?: (disk: PowerCutDisk) => Disk;
  /** Creating this source fails; the others do not. */
  readonly fails?: string;
}

interface Verdict {
  readonly cases: number;
  /** The first case in which something that was acknowledged is gone. */
  readonly broken?: string;
}

/** Cuts the power before every step, and opens a store on everything that this may leave. */
async function verdictOf(story: Story): Promise<Verdict> {
  let cases = 0;
  for (let cutBefore = 0; cutBefore < STEPS; cutBefore += 1) {
    const disk = new PowerCutDisk({ ...story, cutBefore });
    const acknowledged = await live(disk, story);
    for (const leftover of leftoversOf(disk)) {
      cases += 1;
      const found = await reopened(disk.after(leftover));
      const lost = acknowledged.filter((name) => !found.includes(name));
      if (lost.length > 0) return { cases, broken: `cut before step ${cutBefore}: lost ${lost.join(', ')}` };
    }
    if (!disk.isCut) return { cases };
  }
  throw new Error('the story never came to its end');
}

/** Answers what was acknowledged before the power went. */
async function live(disk: PowerCutDisk, { through, fails }: Story): Promise<string[]> {
  const acknowledged: string[] = [];
  const opened = { folder: FOLDER, disk: through?.(disk) ?? disk, log: new RecordingLog() };
  try {
    const store = await openConfigStore(opened);
    await store.create('workspaces', workspace('main', '00000000aa'));
    acknowledged.push('workspaces/main');
    for (const slug of SLUGS) {
      disk.failsNext = slug === fails;
      const created = store.create('sources', source('main', slug));
      if (slug === fails) await expect(created).rejects.toThrow('EIO');
      else {
        await created;
        acknowledged.push(`workspaces/main/sources/${slug}`);
      }
    }
  } catch (error) {
    if (!disk.isCut) throw error;
  }
  return acknowledged;
}

async function reopened(files: ReadonlyMap<string, string>): Promise<string[]> {
  const disk = memoryDisk(files);
  try {
    const store = await openConfigStore({ folder: FOLDER, disk, log: new RecordingLog() });
    const workspaces = await store.list('workspaces', '', { after: 0, limit: 10 });
    const sources = await store.list('sources', 'workspaces/main', { after: 0, limit: 10 });
    // It can go on from there.
    await store.create('workspaces', workspace('next', '00000000ff'));
    return [...workspaces, ...sources].map(({ resource }) => resource.name);
  } catch (error) {
    return [String(error)];
  }
}

test.each(['file', 'folder'] as const)(
  'a power cut at any step loses no acknowledged change: %s first',
  async (first) => {
    const { cases, broken } = await verdictOf({ first });
    expect(broken).toBeUndefined();
    expect(cases).toBeGreaterThan(100);
  },
);

test('neither does one after a write that failed, whatever it left', async () => {
  for (const fails of SLUGS.slice(1, 4)) {
    const { broken } = await verdictOf({ first: 'folder', fails });
    expect(broken).toBeUndefined();
  }
});

// The twins: what the story is there to find.
test.each<[string, Story]>([
  ['one draft for all writes', { first: 'file', through: withOneDraft }],
  ['a folder that is not synced', { first: 'file', skips: 'folder' }],
  ['a draft that is not synced', { first: 'file', skips: 'file' }],
])('a disk with %s is found out', async (_what, story) => {
  expect((await verdictOf(story)).broken).toContain('lost ');
});

function withOneDraft(disk: PowerCutDisk): Disk {
  return {
    names: (folder) => disk.names(folder),
    read: (file) => disk.read(file),
    replace: (file, text) => disk.replace(file, text, `${file}.a`),
    append: (file, text) => disk.append(file, text),
    rename: (draft, file) => disk.rename(draft, file),
    remove: (files) => disk.remove(files),
  };
}
