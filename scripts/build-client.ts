/** `npm run build:client`: the client as it is published, in `client/dist`. `npm publish ./client/dist` does the rest. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildClient } from './build-client/build.ts';

const FOLDER = fileURLToPath(new URL('../client/dist/', import.meta.url));

try {
  buildClient(FOLDER);
  console.log(`built ${join(FOLDER, 'package.json')}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
