/**
 * `npx node scripts/import-segment.ts [sources] [--per-minute 200] [--save]`: imports a workspace of so many sources (200)
 * from a stand-in of the service, which refuses what is beyond its limit; once whole and once again, and, beside that, into
 * another router with a kill in the middle. With the limit that the service documents, 200 sources take ten minutes.
 */
import { parseArgs } from 'node:util';
import { measuredImports } from './import-segment/imports.ts';
import { writePages } from './results/pages.ts';
import { originNow, writeResult } from './results/result.ts';

const options = { save: { type: 'boolean' }, 'per-minute': { type: 'string', default: '200' } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const [sources, perMinute] = [positionals[0] ?? '200', values['per-minute']].map((text) => {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new RangeError(`"${text}" is no number of sources, or of requests a minute; give 200`);
});
if (sources === undefined || perMinute === undefined) throw new Error('two texts are two numbers');

const origin = originNow(`npx node scripts/import-segment.ts ${sources} --per-minute ${perMinute}`);
const result = await measuredImports(sources, perMinute);
console.log(JSON.stringify(result, null, 2));
const { keysKept, isSame } = result;
const holds = keysKept === sources && isSame;
if (holds && values.save === true) {
  writeResult('import-segment', { ...origin, ...result });
  writePages();
}
process.exitCode = holds ? 0 : 1;
