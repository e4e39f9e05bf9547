/**
 * `npm run walk`: the stations of one `track` call, from its socket to the record of its delivery, and of a change of one
 * field, as a guided tour; with how many files and functions of the router run for each, counted by V8 on the event loop.
 *
 *   --json    only the counts, as one object
 *   --all     every function that ran, by file
 *   --check   fails when a station is not passed, or ARCHITECTURE.md tells another tour
 *   --write   writes the tour and today's figures into ARCHITECTURE.md, and the figures into docs/results/
 */
import { parseArgs } from 'node:util';
import { Coverage, type Ran } from './walk/coverage.ts';
import { figuresOf } from './walk/figures.ts';
import { isStale, writeParts } from './walk/architecture-page.ts';
import { notPassed, TOURS, tourText } from './walk/stations.ts';
import { inWorld } from './walk/world.ts';
import { writeResult } from './results/result.ts';

const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { json: flag, all: flag, check: flag, write: flag } });

const walks = await walk();
const missed = [...notPassed(TOURS.track, walks.track), ...notPassed(TOURS.patch, walks.patch)];
if (values.write) {
  writeResult('structure', figuresOf(walks));
  writeParts();
}
if (values.json) console.log(JSON.stringify({ track: countOf(walks.track), patch: countOf(walks.patch) }));
else for (const name of ['track', 'patch'] as const) tell(name, walks[name]);
for (const { file, name } of missed) console.error(`${file} ${name} is not passed: change scripts/walk/stations.ts`);
const stale = values.check && isStale();
if (stale) console.error('ARCHITECTURE.md tells another tour: run npm run walk -- --write');
process.exitCode = missed.length > 0 || stale ? 1 : 0;

async function walk(): Promise<{ track: readonly Ran[]; patch: readonly Ran[] }> {
  await using coverage = await Coverage.begin();
  // Once to warm up: what is compiled or cached at the first request is no part of the way.
  const walkOf = async (request: () => Promise<void>): Promise<readonly Ran[]> => {
    await request();
    await coverage.take();
    await request();
    return coverage.take();
  };
  return await inWorld(async ({ track, patch }) => ({ track: await walkOf(track), patch: await walkOf(patch) }));
}

function countOf(ran: readonly Ran[]): { files: number; functions: number } {
  return { files: new Set(ran.map(({ file }) => file)).size, functions: ran.length };
}

function tell(name: 'track' | 'patch', ran: readonly Ran[]): void {
  const { files, functions } = countOf(ran);
  console.log(`${name}: ${files} files, ${functions} functions`);
  if (!values.all) return console.log(`${tourText(TOURS[name])}\n`);
  for (const [file, calls] of Map.groupBy(ran, (one) => one.file)) {
    console.log(`  server/${file}: ${calls.map((one) => one.name).join(', ')}`);
  }
}
