/** Records what the current formats have, for those that were not recorded yet: what a released one had stays as it is. */
import { existsSync, writeFileSync } from 'node:fs';
import { currentFormats } from '../../server/tests/support/format-descriptions.ts';

for (const { file, description } of currentFormats()) {
  if (existsSync(file)) continue;
  writeFileSync(file, `${JSON.stringify(description, undefined, 2)}\n`);
  console.log(`recorded ${file}`);
}
