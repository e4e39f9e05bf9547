/** `npm run build:testbed`: the testbed as it is published, in `testbed/dist`. */
import { join } from 'node:path';
import { buildTestbed } from './build-testbed/build.ts';
import { ROOT } from './generate/root.ts';

const FOLDER = join(ROOT, 'testbed/dist');

try {
  buildTestbed(FOLDER);
  console.log(`built ${join(FOLDER, 'package.json')}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
