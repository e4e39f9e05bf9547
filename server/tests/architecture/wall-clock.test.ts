import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SERVER = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Who may read the wall, and for what. Whoever waits, or measures how long something took, reads `steady()` (HOOK-21):
 * the wall can be set back by an hour, and then nothing would happen for that hour.
 */
const READERS: Readonly<Record<string, string>> = {
  'ports/clock.ts': 'gives one moment by both clocks',
  'system-clock.ts': 'is the clock',
  'resources/access-tokens.ts': 'create time of a token, and time of its last use, as they are shown',
  'resources/bootstrap.ts': 'create times of the first workspace and token',
  'resources/deliveries.ts': 'due times, as they are shown; times of replays in the log',
  'resources/destinations.ts': 'create and update times',
  'resources/filter-preview.ts': 'times of an event that came without any',
  'resources/losses.ts': 'since when losses are counted, as it is shown',
  'resources/metrics.ts': 'the hours that counts are shown by',
  'resources/replays.ts': 'create and end times of bulk replays',
  'resources/regulations.ts': 'create time of a regulation',
  'resources/sources.ts': 'create time of a source',
  'resources/tracking-plans.ts': 'create and update times',
  'resources/workspaces.ts': 'create time of a workspace',
  'delivery/courier.ts': 'times of attempts and ends in the log; dates in Retry-After',
  'delivery/dispatcher.ts': 'the end of a round in the log',
  'ingestion/ingestion-api.ts': 'timestamps of events',
  'ingestion/token-handler.ts': 'dates in assertions, which senders make by their own clocks',
  'losses/unknown-keys.ts': 'first and last time that a key came, as they are shown',
  'jobs/regulations.ts': 'end times of deliveries and regulations, as they are shown',
  'jobs/replays.ts': 'times of replays in the log',
  'jobs/retention.ts': 'ends are dated by the wall; the lesser of both clocks counts',
};

const READS = /\b(?:clock|Clock)\.now\(\)|\bDate\.now\(\)|\bnew Date\(\)|\bmomentOf\(/;

function readersIn(files: Iterable<readonly [file: string, text: string]>): string[] {
  return [...files].filter(([, text]) => READS.test(text)).map(([file]) => file);
}

function production(): [string, string][] {
  const files = globSync('**/*.ts', { cwd: SERVER, exclude: ['tests/**', 'node_modules/**'] });
  return files.map((file) => [file, readFileSync(`${SERVER}/${file}`, 'utf8')]);
}

test('HOOK-21: only what people are shown is taken from the wall', () => {
  expect(readersIn(production()).toSorted()).toEqual(Object.keys(READERS).toSorted());
});

test.each(['const due = this.#ports.clock.now() + 5;', 'Date.now()', 'new Date()', 'momentOf(clock).wall'])(
  'a file that reads the wall is found: %s',
  (text) => {
    expect(readersIn([['server/new.ts', text]])).toEqual(['server/new.ts']);
  },
);

test('a file that measures by steady time is not', () => {
  expect(readersIn([['server/new.ts', 'clock.steady(); performance.now(); new Date(clock.steady())']])).toEqual([]);
});
