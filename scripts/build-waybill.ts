/** `npm run build:waybill`: the router and its command as they are published, in `cli/dist`. */
import { join } from 'node:path';
import { buildWaybill } from './build-waybill/build.ts';
import { ROOT } from './generate/root.ts';

const FOLDER = join(ROOT, 'cli/dist');

try {
  buildWaybill(FOLDER);
  console.log(`built ${join(FOLDER, 'package.json')}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
