/**
 * `npm run walk [-- --json]`: how many files and functions of the router run for one `track` call, from its socket to its
 * webhook and its record, and for a change of one field; counted by V8, on the event loop.
 */
import { parseArgs } from 'node:util';
import { Coverage, type Ran } from './walk/coverage.ts';
import { inWorld } from './walk/world.ts';

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
await using coverage = await Coverage.begin();

const walks = await inWorld(async ({ track, patch }) => ({
  track: await walkOf(track),
  patch: await walkOf(patch),
}));
const counts = Object.fromEntries(Object.entries(walks).map(([name, ran]) => [name, countOf(ran)]));
if (values.json) console.log(JSON.stringify(counts));
else for (const [name, ran] of Object.entries(walks)) tell(name, ran);

/** Once to warm up: what is compiled or cached at the first request is no part of the way. */
async function walkOf(request: () => Promise<void>): Promise<readonly Ran[]> {
  await request();
  await coverage.take();
  await request();
  return coverage.take();
}

function countOf(ran: readonly Ran[]): { files: number; functions: number } {
  return { files: new Set(ran.map(({ file }) => file)).size, functions: ran.length };
}

function tell(name: string, ran: readonly Ran[]): void {
  const { files, functions } = countOf(ran);
  console.log(`${name}: ${files} files, ${functions} functions`);
  for (const [file, calls] of Map.groupBy(ran, (one) => one.file)) {
    console.log(`  server/${file}: ${calls.map((one) => one.name).join(', ')}`);
  }
}
