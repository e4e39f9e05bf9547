/**
 * `node scripts/run.mjs scripts/audiences.ts [10000 [first seed]] [--over memory|file|postgres | --telling] [--save]`: lives so many random worlds through, in
 * which what audiences and computed traits find is compared with brute force over the raw events. With `--telling`: worlds that
 * change while audiences are told, in which what destinations heard last is compared.
 */
import { parseArgs } from 'node:util';
import { fileProfilesPlace } from '../server/tests/conformance/file-profiles-place.ts';
import { postgresProfilesPlace } from '../server/tests/conformance/postgres-profiles-place.ts';
import { memoryProfilesPlace, type OpenProfiles } from '../server/tests/conformance/profile-place.ts';
import { differencesIn } from '../server/tests/oracle/differences.ts';
import { tellingDifferencesIn } from '../server/tests/oracle/telling-world.ts';
import { schemaWithTables } from '../server/tests/support/postgres-schema.ts';
import { startPostgres } from '../server/tests/support/postgres-server.ts';
import type { WorldsRow } from './results/audiences-page.ts';
import { writePages } from './results/pages.ts';
import { originNow, readResult, withRow, writeResult } from './results/result.ts';

/** What the worlds live over, and how it ends. */
interface Engine extends AsyncDisposable {
  readonly open: OpenProfiles;
}

const ENGINES: ReadonlyMap<string, () => Promise<Engine>> = new Map([
  ['memory', async () => lasting(() => memoryProfilesPlace())],
  ['file', async () => lasting(fileProfilesPlace)],
  ['postgres', overPostgres],
]);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    over: { type: 'string', default: 'memory' },
    save: { type: 'boolean', default: false },
    telling: { type: 'boolean', default: false },
  },
});
const [count = '10000', from = '1'] = positionals;
const start = ENGINES.get(values.over);
if (start === undefined) fail(`--over ${values.over}: give memory, file or postgres`);
else if (values.telling && values.over !== 'memory')
  fail(`--telling lives in memory alone: leave out --over ${values.over}`);
else if ([count, from].every((number) => /^[1-9]\d{0,8}$/.test(number))) await run(start, Number(count), Number(from));
else fail(`${count} ${from}: give the number of worlds and the first seed as whole numbers above 0`);

async function run(engine: () => Promise<Engine>, worlds: number, first: number): Promise<void> {
  await using places = await engine();
  const startedAt = performance.now();
  for (let seed = first; seed < first + worlds; seed += 1) {
    const differences = await (values.telling ? tellingDifferencesIn(seed) : differencesIn(seed, places.open));
    if (differences.length === 0) continue;
    console.error([`seed ${seed} differs:`, ...differences].join('\n  '));
    process.exitCode = 1;
    return;
  }
  console.log(`${worlds} worlds, no differences (${Math.round((performance.now() - startedAt) / 1000)} s)`);
  if (values.save) save(worlds, first);
}

/** Worlds of the same seeds take the place of those before. */
function save(worlds: number, first: number): void {
  const [over, option] = values.telling ? ['memory, while told', '--telling'] : [values.over, `--over ${values.over}`];
  const origin = originNow(`npx node scripts/audiences.ts ${worlds} ${first} ${option}`);
  const row = { ...origin, over, first, worlds, differences: 0 };
  const isSame = (one: WorldsRow): boolean => one.over === over && one.first === first;
  writeResult('audience-worlds', withRow(readResult('audience-worlds'), row, isSame));
  writePages();
}

function lasting(open: OpenProfiles): Engine {
  return { open, [Symbol.asyncDispose]: () => Promise.resolve() };
}

async function overPostgres(): Promise<Engine> {
  const server = await startPostgres();
  return {
    open: async () => postgresProfilesPlace(await schemaWithTables(server.url())),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

function fail(reason: string): void {
  console.error(reason);
  process.exitCode = 2;
}
