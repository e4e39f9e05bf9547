import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wholeBacklog } from '../../server/delivery/supply.ts';
import type { Acceptance, DeliveryId } from '../../server/model/delivery.ts';
import type { LogPage } from '../../server/storage/delivery-log.ts';
import type { DeliveryStorage } from '../../server/storage/delivery-storage.ts';
import { openSqliteStorage, type SqliteStorage } from '../../server/storage/file/deliveries/sqlite-storage.ts';

/** What a router that was killed, or stopped, left in its delivery store. */
export interface Wreck {
  /** Ids of messages of which a delivery was being tried: only these may arrive once more than they had to. */
  readonly trying: readonly string[];
  /** Ids of messages of which a delivery had not ended. */
  readonly unended: readonly string[];
  /** Of the ids asked for, those that the store does not know. */
  readonly unknown: readonly string[];
  /** Why the store cannot be opened again, if so. */
  readonly damage: string | undefined;
}

/** Looks at a copy, through the port, so that the router that starts next finds the files as they were left. */
export async function examineWreck(folder: string, source: string, ids: Iterable<string>): Promise<Wreck> {
  const copy = mkdtempSync(join(tmpdir(), 'waybill-wreck-'));
  try {
    for (const name of ['deliveries.sqlite', 'deliveries.sqlite-wal']) {
      if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
    }
    const store = await openSqliteStorage(join(copy, 'deliveries.sqlite'));
    try {
      return { ...(await examine(store, source, [...ids])), damage: undefined };
    } finally {
      await store.close();
    }
  } catch (error) {
    return { trying: [], unended: [], unknown: [], damage: String(error) };
  } finally {
    rmSync(copy, { recursive: true });
  }
}

async function examine(store: SqliteStorage, source: string, ids: readonly string[]): Promise<Omit<Wreck, 'damage'>> {
  const pending = await listPending(store);
  await store.join({ now: 0 });
  const unended = await claimEverything(store);
  const trying = [...unended].filter(([delivery]) => !pending.has(delivery)).map(([, id]) => id);
  const acceptances = ids.map((id) => nowhere(source, id));
  const answers = await store.accept({ key: 'wreck', workspace: 'workspaces/main', version: 0, acceptances });
  const unknown = ids.filter((_, index) => answers[index] !== 'duplicate');
  return { trying, unended: [...unended.values()], unknown };
}

async function listPending(store: SqliteStorage): Promise<Set<DeliveryId>> {
  const found = new Set<DeliveryId>();
  for (const { destination } of await wholeBacklog(store)) {
    let page: LogPage = { deliveries: [], next: '' };
    for (let before: string | undefined = ''; before !== undefined; before = page.next) {
      const start = before === '' ? {} : { before };
      page = await store.list({ destination, filter: { states: ['pending'] }, ...start, limit: PAGE });
      for (const { delivery } of page.deliveries) found.add(delivery);
    }
  }
  return found;
}

/** Takes all that is pending; answers the message ids, by delivery. */
export async function claimEverything(store: DeliveryStorage): Promise<Map<DeliveryId, string>> {
  const found = new Map<DeliveryId, string>();
  for (const { destination, waiting } of await wholeBacklog(store)) {
    const upTo = Number.MAX_SAFE_INTEGER;
    const { claims } = await store.claim({ which: 'received', upTo, destination, limit: waiting });
    for (const { delivery, message } of claims) found.set(delivery, message.event.messageId);
  }
  return found;
}

const PAGE = 1_000;

/** To ask whether an id is known: who sends it again is told. */
function nowhere(source: string, messageId: string): Acceptance {
  const time = new Date(0).toISOString();
  const event = { type: 'track', messageId, context: {}, timestamp: time, receivedAt: time } as const;
  return { message: { source, receivedAt: 0, event }, routes: [] };
}
