/**
 * The delivery store alone. It opens its file, and either fills it with message ids, as retention leaves them when the
 * events are gone, or accepts events beside those that it knows. Run as a process of its own for each, so that its memory
 * is the store's: the arguments are the file, how many ids it knows, and up to how many it is to be filled.
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Acceptance } from '../../../server/model/delivery.ts';
import { openSqliteStorage } from '../../../server/storage/file/deliveries/sqlite-storage.ts';
import { batchOf } from '../backlog-filling.ts';
import { median } from '../figures.ts';
import { destinationName, sourceName } from '../names.ts';
import { numberedEvent } from '../numbered-event.ts';

/** What it came to; `known` ids are in the file afterwards. */
export interface Cost {
  readonly known: number;
  /** Per event that was stored and routed to a destination, and per one that was dropped; syncs shared by 1 600. */
  readonly freshUs: number;
  readonly duplicateUs: number;
  /** The same of those that came at any time before, in no order. */
  readonly oldDuplicateUs: number;
  /** Of the process, as soon as the file is open. */
  readonly memoryMb: number;
  readonly openMs: number;
  readonly fileMb: number;
}

/** Requests that come at once, and the events of each. */
const [REQUESTS, BATCH] = [16, 100];
/** How often the costs are measured. */
const SAMPLES = 5;
const FILL_BATCH = 5_000;
/** Requests of a sample, one lot after the other. */
const LOTS = 2;
const MB = 1024 * 1024;

const [file = '', ...counts] = process.argv.slice(2);
const [before = 0, upTo = 0] = counts.map(Number);
const startedAt = performance.now();
const store = await openSqliteStorage(file);
const openMs = performance.now() - startedAt;
const memoryMb = process.memoryUsage.rss() / MB;
let known = before;

const answer = upTo > known ? await fill() : await cost();
await store.close();
process.send?.(answer);
process.disconnect?.();

async function cost(): Promise<Cost> {
  const fresh: number[] = [];
  const duplicate: number[] = [];
  const oldDuplicate: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const first = known;
    fresh.push(await sampleUs((index) => first + index));
    known += LOTS * REQUESTS * BATCH;
    duplicate.push(await sampleUs((index) => first + index));
    oldDuplicate.push(await sampleUs((index) => scattered(first + index) % first));
  }
  return {
    known,
    freshUs: median(fresh),
    duplicateUs: median(duplicate),
    oldDuplicateUs: median(oldDuplicate),
    memoryMb,
    openMs,
    fileMb: statSync(file).size / MB,
  };
}

/** An event without a destination leaves nothing but its id. */
async function fill(): Promise<{ readonly known: number }> {
  let storing: Promise<unknown> = Promise.resolve();
  for (; known < upTo; known += FILL_BATCH) {
    const batch = Array.from({ length: FILL_BATCH }, (_, index) => acceptance(known + index, []));
    await storing;
    storing = store.accept(batchOf(batch));
  }
  await storing;
  return { known };
}

/** Of numbers that follow each other: they are far from each other. */
function scattered(number: number): number {
  return Math.imul(number, 0x9e37_79b1) >>> 0;
}

async function sampleUs(numberOf: (index: number) => number): Promise<number> {
  const routes = [{ destination: destinationName(0), claimed: false }];
  const lots = Array.from({ length: LOTS }, (_, lot) =>
    Array.from({ length: REQUESTS }, (__, request) =>
      Array.from({ length: BATCH }, (___, index) =>
        acceptance(numberOf((lot * REQUESTS + request) * BATCH + index), routes),
      ),
    ),
  );
  const beganAt = performance.now();
  for (const lot of lots) await Promise.all(lot.map((request) => store.accept(batchOf(request))));
  return (1_000 * (performance.now() - beganAt)) / (LOTS * REQUESTS * BATCH);
}

/** Ids as random as those of SDKs, but known again: an order in them would spare the store's index much work. */
function acceptance(number: number, routes: Acceptance['routes']): Acceptance {
  const hex = createHash('md5').update(String(number)).digest('hex');
  const messageId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  const event = { ...numberedEvent(number), messageId };
  return { message: { source: sourceName(0), receivedAt: Date.now(), event }, routes };
}
