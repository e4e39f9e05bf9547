/**
 * `npm run build <part>`: the console as the router serves it, the page of `waybill-receiver`, or a package as it is published: `client` in `client/dist`, the router and
 * its command (`waybill`) in `cli/dist`, `testbed` in `testbed/dist`. `npm publish` with the folder does the rest.
 */
import { join } from 'node:path';
import { build } from 'vite';
import { buildClient } from './build-client/build.ts';
import { buildTestbed } from './build-testbed/build.ts';
import { buildWaybill } from './build-waybill/build.ts';
import { ROOT } from './generate/root.ts';

/** Each answers what it wrote. */
const PARTS: Readonly<Record<string, () => Promise<string> | string>> = {
  client: () => packed('client/dist', buildClient),
  console: () => page('console'),
  receiver: () => page('console/receiver'),
  testbed: () => packed('testbed/dist', buildTestbed),
  waybill: () => packed('cli/dist', buildWaybill),
};

const [part = ''] = process.argv.slice(2);
const make = Object.hasOwn(PARTS, part) ? PARTS[part] : undefined;
try {
  if (make === undefined) throw new Error(`name what to build: npm run build ${Object.keys(PARTS).join('|')}`);
  console.log(`built ${await make()}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function packed(folder: string, write: (folder: string) => void): string {
  write(join(ROOT, folder));
  return join(ROOT, folder, 'package.json');
}

async function page(folder: string): Promise<string> {
  await build({ root: join(ROOT, folder) });
  return join(ROOT, folder, 'dist/index.html');
}
