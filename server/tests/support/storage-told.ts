import { expect } from 'vitest';
import type { Kind, Resources } from '../../model/resources.ts';
import type { Row } from '../../storage/config-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { wholeLog } from './whole-log.ts';

/** All that a storage tells of what it holds, through its port. */
export interface StorageTold {
  readonly resources: readonly unknown[];
  /** By destination. */
  readonly deliveries: Readonly<Record<string, readonly unknown[]>>;
  readonly counts: Readonly<Record<string, readonly unknown[]>>;
  readonly replays: Readonly<Record<string, readonly unknown[]>>;
}

const LIMIT = 100;
/** Before anything that is told was counted. */
const COUNTED_FROM = Date.parse('2025-01-01');

export async function storageTold({ resources, log, jobs }: Storage): Promise<StorageTold> {
  const rows: { readonly kind: Kind; readonly row: Row<Resources[Kind]> | undefined }[] = [];
  (await resources.watch(({ changes }) => void rows.push(...changes)))();
  const destinations = rows.flatMap(({ kind, row }) => (kind === 'destinations' && row ? [row.resource.name] : []));
  expect(destinations.length).toBeGreaterThan(0);
  const each = async (tell: (destination: string) => Promise<readonly unknown[]>) => {
    const told: Record<string, readonly unknown[]> = {};
    for (const destination of destinations) told[destination] = await tell(destination);
    return told;
  };
  return {
    resources: rows.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other))),
    deliveries: await each((destination) => storiesOf(log, destination)),
    counts: await each(async (destination) =>
      (await log.counts({ destination, from: COUNTED_FROM, to: Date.now() })).toSorted((one, other) =>
        `${one.hour} ${one.what}`.localeCompare(`${other.hour} ${other.what}`),
      ),
    ),
    replays: await each((destination) => jobs.listReplays({ destination, after: 0, limit: LIMIT })),
  };
}

function keyOf({ kind, row }: { readonly kind: Kind; readonly row: Row<Resources[Kind]> | undefined }): string {
  return `${kind} ${row?.resource.name}`;
}

async function storiesOf(log: Storage['log'], destination: string): Promise<unknown[]> {
  const stories: unknown[] = [];
  for (const { delivery } of await wholeLog(log, { destination, filter: {} }))
    stories.push(waiting(await log.read({ destination, delivery })));
  return stories;
}

/** What was being tried waits elsewhere; then it is due at once. Attempts are told apart by their places. */
function waiting(story: Awaited<ReturnType<Storage['log']['read']>>): unknown {
  const { state, dueAt, attempts = [], ...rest } = story ?? {};
  const isTried = state === 'trying' || (dueAt !== undefined && dueAt <= Date.now());
  const told = attempts.map(({ number: _number, ...attempt }) => attempt);
  return { ...rest, attempts: told, state: state === 'trying' ? 'pending' : state, dueAt: isTried ? 'now' : dueAt };
}
