/** The profile store alone, on this thread: folds, fills and computes. Prints one run. Run as a process, so that its memory is its own. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createCatcher } from '../../server/audiences/catch.ts';
import type { Measure } from '../../server/audiences/measure.ts';
import type { Plan } from '../../server/audiences/plan.ts';
import type { Event } from '../../server/model/message.ts';
import type { MeasuredSpace } from '../../server/storage/profile-storage.ts';
import { openProfileEngine } from '../../server/storage/profiles/sqlite/engine.ts';
import { run } from '../../server/storage/file/deliveries/serve.ts';

const [folder = '', people = '0', tiles = '0'] = process.argv.slice(2);
const [PEOPLE, TILES] = [Number(people), Number(tiles)];
const NOW = Date.UTC(2026, 5, 1);
const HOUR = 3_600_000;
const DAYS = 30;
/** Of an event as SDKs send it. */
const CONTEXT = { library: { name: 'bench', version: '1.0.0' }, ip: '192.0.2.1' };
/** So many caught events have one transaction, as a run folds them. */
const LOT = 2_000;
const SOURCE = 'workspaces/main/sources/bench';
/** Three conditions for each of a hundred audiences; events meet one in ten of them. */
const MEASURES = Array.from({ length: 300 }, (_, at): Measure => ({
  id: `measure ${at}`,
  kind: 'amounts',
  where: `event = "Event ${at % 30}" and properties.total > ${at}`,
  of: ['properties', 'total'],
  from: 0,
}));
const SPACE: MeasuredSpace = { id: 'workspaces/main@1', workspace: 'workspaces/main', measures: MEASURES };

export interface EngineRun {
  readonly foldUs: number;
  readonly seenUs: number;
  readonly identifyUs: number;
  readonly profileBytes: number;
  readonly tileBytes: number;
  readonly computeSeconds: number;
  readonly members: number;
  readonly memoryMb: number;
  readonly leaveSeconds: number;
  readonly eraseSeconds: number;
}

let lastId = 0;
const path = join(folder, 'profiles.sqlite');
const engine = openProfileEngine(path);
process.send?.(measure());
process.disconnect?.();

function measure(): EngineRun {
  const identified = identify();
  const seenUs = fold((at) => ({ ...times(at), type: 'page', userId: userOf(at), context: CONTEXT, properties: {} }));
  const foldUs = fold((at) => ({
    ...times(at),
    type: 'track',
    userId: userOf(at * 7_919),
    event: `Event ${at % 300}`,
    context: CONTEXT,
    properties: { total: 1_000 + (at % 50), currency: 'EUR', text: 'x'.repeat(200) },
  }));
  const tileBytes = fillTiles();
  const memory = process.memoryUsage.rss();
  const computed = computeAll(1);
  const memoryMb = (process.memoryUsage.rss() - memory) / 1e6;
  const leaveSeconds = computeNobody();
  const eraseSeconds = seconds(() => ask('erase', { workspace: 'workspaces/main', userIds: [userOf(3)] }));
  return { ...identified, foldUs, seenUs, tileBytes, ...computed, memoryMb, leaveSeconds, eraseSeconds };
}

function userOf(at: number): string {
  return `user-${String(at % PEOPLE).padStart(12, '0')}-${(at % PEOPLE) * 7}`;
}

function times(at: number): Pick<Event, 'messageId' | 'timestamp' | 'receivedAt'> {
  const timestamp = new Date(NOW - (at % (24 * DAYS)) * HOUR).toISOString();
  return { messageId: `node-next-1780000000000-${String(at).padStart(36, '0')}`, timestamp, receivedAt: timestamp };
}

function ask(name: string, argument: unknown): unknown {
  const answer = run(engine, [{ name, argument }]);
  if ('error' in answer) throw new Error(answer.error);
  return answer.results[0];
}

/** Of the processor: what else the machine does meanwhile does not count. */
function seconds(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e6;
}

/** Microseconds for each of these events, caught as the router catches them. */
function fold(eventOf: (at: number) => Event, count = Math.min(PEOPLE, 200_000)): number {
  const catcher = createCatcher({ computations: () => ({ space: SPACE, get: () => undefined }), erasures: () => 0 });
  let total = 0;
  for (let from = 0; from < count; from += LOT) {
    const batch = catcher.begin(SPACE.workspace);
    const caught = Array.from({ length: Math.min(LOT, count - from) }, (_, index) => {
      lastId += 1;
      return { id: lastId, source: SOURCE, caught: batch?.of(eventOf(from + index)) ?? '' };
    });
    if (caught.some((one) => one.caught === '')) throw new Error('an event of this bench is not caught');
    total += seconds(() => ask('fold', { spaces: [SPACE], caught }));
  }
  return (total / count) * 1e6;
}

/** Everybody says two traits for the first time. */
function identify(): Pick<EngineRun, 'identifyUs' | 'profileBytes'> {
  const empty = size();
  const identifyUs = fold(
    (at) => ({
      ...times(at),
      type: 'identify',
      userId: userOf(at),
      context: CONTEXT,
      traits: { plan: at % 3 === 0 ? 'pro' : 'free', email: `${userOf(at)}@example.com` },
    }),
    PEOPLE,
  );
  return { identifyUs, profileBytes: (size() - empty) / PEOPLE };
}

/** Bytes of the file, with all of its log in it. */
function size(): number {
  engine.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  return statSync(path).size;
}

/** In the order of their key, as folds of whole days would leave them. */
function fillTiles(): number {
  const before = size();
  const measures = MEASURES.length;
  const each = Math.max(1, Math.floor(TILES / measures / DAYS));
  const day = Math.floor(NOW / HOUR / 24);
  engine.database.exec(`DELETE FROM amounts; INSERT INTO amounts
    WITH RECURSIVE m (measure) AS (SELECT 1 UNION ALL SELECT measure + 1 FROM m WHERE measure < ${measures}),
      d (day) AS (SELECT ${day - DAYS} UNION ALL SELECT day + 1 FROM d WHERE day < ${day - 1}),
      n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < ${each - 1})
    SELECT measure, day, 1 + n * ${Math.floor(PEOPLE / each)} + measure % ${Math.max(1, Math.floor(PEOPLE / each))}, day * 24 + measure % 24,
      1 + n % 3, 1 + n % 3, 20.5 * (1 + n % 3), NULL, NULL FROM m, d, n ORDER BY 1, 2, 3`);
  return (size() - before) / (each * measures * DAYS);
}

function computeAll(number: number): Pick<EngineRun, 'computeSeconds' | 'members'> {
  let members = 0;
  const hour = Math.floor(NOW / HOUR) - 1;
  const computeSeconds = seconds(() => {
    for (let audience = 0; audience < 100; audience += 1) {
      const of = [0, 1, 2].map((condition): Plan => ({
        kind: 'measured',
        value: {
          measure: `measure ${audience * 3 + condition}`,
          aggregate: 'count',
          hours: { from: hour - 24 * DAYS, to: hour },
          ofNone: 'zero',
        },
        is: { gte: 2 },
      }));
      const request = {
        space: SPACE.id,
        computation: `workspaces/main/audiences/aud_${audience}`,
        run: number,
        of: { members: { kind: 'any', of } },
      };
      const { size: found } = Object(ask('compute', request));
      members += Number(found);
    }
  });
  return { computeSeconds, members };
}

/** Everybody is in one audience, and then nobody. */
function computeNobody(): number {
  const request = { space: SPACE.id, computation: 'workspaces/main/audiences/aud_all' };
  ask('compute', { ...request, run: 1, of: { members: { kind: 'all', of: [] } } });
  return seconds(() => ask('compute', { ...request, run: 2, of: { members: { kind: 'any', of: [] } } }));
}
