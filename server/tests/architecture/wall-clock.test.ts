import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SERVER = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Who may read the wall, in how many places, and for what. Whoever waits, or measures how long something took, reads
 * `steady()` (HOOK-21): the wall can be set back by an hour, and then nothing would happen for that hour.
 */
const READERS: Readonly<Record<string, readonly [reads: number, why: string]>> = {
  'ports/clock.ts': [1, 'gives one moment by both clocks'],
  'system-clock.ts': [2, 'is the clock; that the machine slept is noticed by the wall, and measured by another'],
  'cli/doctor.ts': [2, 'whether files are newer than now, and certificates end soon, as findings show it'],
  'cli/token.ts': [1, 'create time of a token'],
  'quotas/quotas.ts': [4, 'the day in UTC that events are counted in; a rate is by the other clock'],
  'resources/accepted-events.ts': [1, 'the last hour of a range that is asked for'],
  'resources/access-tokens.ts': [4, 'create time of a token, and time of its last use, as they are shown'],
  'resources/audited.ts': [1, 'when a change was made, as entries show it'],
  'resources/audience-members.ts': [2, 'the hour of a preview or an explanation, and since when there is history'],
  'operations/backup.ts': [1, 'when a backup was made, as its files show it'],
  'operations/telemetry/metrics.ts': [2, 'since when counters count, and when they were read: collectors show it'],
  'resources/computed-syncs.ts': [2, 'start and end times of syncs, as they are shown'],
  'resources/computed.ts': [1, 'create and update times; since when something is counted'],
  'resources/profiles.ts': [1, 'create time of a regulation'],
  'resources/overview.ts': [1, 'the hours that counts are shown by'],
  'resources/bootstrap.ts': [2, 'create times of the first workspace and token'],
  'resources/deliveries.ts': [3, 'due times, as they are shown; times of replays in the log'],
  'resources/destinations.ts': [3, 'create and update times; whether a rotation of the secret has ended'],
  'resources/secret-rotations.ts': [2, 'when rotations of secrets begin and end, as they are shown'],
  'resources/filter-preview.ts': [1, 'times of an event that came without any'],
  'resources/shape-preview.ts': [1, 'times of an event that came without any'],
  'resources/metrics.ts': [1, 'the hours that counts are shown by'],
  'resources/replays.ts': [2, 'create and end times of bulk replays'],
  'resources/regulations.ts': [1, 'create time of a regulation'],
  'resources/sources.ts': [1, 'create time of a source'],
  'resources/tracking-plans.ts': [2, 'create and update times'],
  'resources/workspaces.ts': [
    2,
    'create time of a workspace; whether the name of a removed one is free, by the lesser of both clocks',
  ],
  'delivery/membership.ts': [1, 'when a circuit is probed next, as it is shown'],
  'delivery/waiting-queues.ts': [1, 'since when something waits, as it is shown'],
  'delivery/courier.ts': [5, 'times of attempts and ends in the log; dates in Retry-After'],
  'delivery/rounds.ts': [1, 'the end of a round in the log'],
  'ingestion/ingestion-api.ts': [1, 'timestamps of events'],
  'ingestion/token-handler.ts': [1, 'dates in assertions, which senders make by their own clocks'],
  'losses/loss-reader.ts': [1, 'since when losses are counted, as it is shown'],
  'losses/shared-losses.ts': [2, 'when losses and traffic were counted, as it is shown'],
  'losses/traffic.ts': [2, 'the minutes and hours that traffic is shown by'],
  'losses/unknown-keys.ts': [1, 'first and last time that a key came, as they are shown'],
  'jobs/profile-beginnings.ts': [1, 'since when profiles are kept, as it is shown'],
  'jobs/audience-runs.ts': [2, 'windows are of event time, from when a run began; when it ended'],
  'jobs/sync-computing.ts': [1, 'ends of what is cancelled'],
  'jobs/sync-telling.ts': [3, 'times of what a run tells, and when it came on, as runs begin by the wall'],
  'jobs/due-runs.ts': [3, 'runs begin by the wall, also after one that was set back'],
  'audiences/tell-undecided.ts': [1, 'when it was seen that nothing could be decided'],
  'jobs/audience-upkeep.ts': [2, 'windows are of event time, by the lesser of both clocks; ends of what is cancelled'],
  'storage/file/deliveries/set-clock.ts': [1, 'by how much it was set in a life, for the next'],
  'jobs/erasure.ts': [1, 'end times of deliveries, as they are shown'],
  'jobs/notices.ts': [4, 'times of notices and hours of counts, as they are shown; whether a rotation is about to end'],
  'notices/health-watch.ts': [1, 'since when a destination is parked, as it is shown'],
  'jobs/regulations.ts': [1, 'end times of regulations, as they are shown'],
  'jobs/replays.ts': [1, 'times of replays in the log'],
  'jobs/retention.ts': [1, 'ends are dated by the wall; the lesser of both clocks counts'],
};

/** Each way to the wall that there is; of functions also their names, which can be called elsewhere. */
const READS = [
  /\w*clock\b[?!]?(?:\.|\[['"`])now\b/gi,
  // `now` taken out of a clock: of a variable, and of a parameter.
  /\{[^{}]*\bnow\b[^{}]*\}(?:: *[\w<>, ']+)? *= *[^;\n]*clock\b/gi,
  /\{[^{}]*\bnow\b[^{}]*\}: *[^)=;]*\bClock\b/g,
  /\bDate(?:\.|\[['"`])now\b/g,
  /\{[^{}]*\bnow\b[^{}]*\} *= *Date\b/g,
  /\bnew Date(?:\( *\)|(?! *\())/g,
  /(?<!new )\bDate\(/g,
  /\bTemporal\.Now\b/g,
  /(?<!function )\bmomentOf\b/g,
];

const NAMES_TAKEN = /^import [^;]*;$/gm;
const COMMENTS = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;

function readsIn(text: string): number {
  const code = text.replaceAll(COMMENTS, '').replaceAll(NAMES_TAKEN, '');
  return READS.reduce((reads, read) => reads + (code.match(read)?.length ?? 0), 0);
}

function readersIn(files: Iterable<readonly [file: string, text: string]>): Record<string, number> {
  const readers = [...files].map(([file, text]) => [file, readsIn(text)] as const);
  return Object.fromEntries(readers.filter(([, reads]) => reads > 0));
}

function production(): [string, string][] {
  const files = globSync('**/*.ts', { cwd: SERVER, exclude: ['tests/**', 'node_modules/**'] });
  return files.map((file) => [file, readFileSync(`${SERVER}/${file}`, 'utf8')]);
}

test('HOOK-21: only what people are shown is taken from the wall', () => {
  const listed = Object.entries(READERS).map(([file, [reads]]) => [file, reads]);
  expect(readersIn(production())).toEqual(Object.fromEntries(listed));
});

test.each([
  'const due = this.#ports.clock.now() + 5;',
  'systemClock.now()',
  "clock['now']()",
  'const read = clock.now;',
  'const { now } = clock;',
  'const { steady, now: wall } = this.#ports.clock;',
  'function due({ now }: Clock) {}',
  "function due({ now, sleep }: Pick<Clock, 'now'>) {}",
  'Date.now()',
  'const { now } = Date;',
  'const read = Date.now;',
  'new Date()',
  'new Date;',
  'Date()',
  'Temporal.Now.instant()',
  'momentOf(clock).wall',
  'clocks.map(momentOf)',
])('a read of the wall is found: %s', (text) => {
  expect(readersIn([['server/new.ts', text]])).toEqual({ 'server/new.ts': 1 });
});

test('a further read in a file that has one is found', () => {
  expect(readersIn([['server/new.ts', 'const shown = clock.now();\nawait until(clock.now() + 5);']])).toEqual({
    'server/new.ts': 2,
  });
});

test('a file that measures by steady time, or is told the time, is none', () => {
  const text =
    'clock.steady(); performance.now(); new Date(clock.steady()); const { now } = request; store.add({ now });';
  expect(
    readersIn([['server/new.ts', `import { momentOf } from './clock.ts';\n// As clock.now() has it.\n${text}`]]),
  ).toEqual({});
});
