/** `node scripts/run.mjs scripts/release-version.ts`: the version that the changesets in `.changeset` ask for, everywhere; `CHANGELOG.md` tells what they say. */
import { ROOT } from './generate/root.ts';
import { nextVersion } from './release/next-version.ts';

try {
  console.log(`The version is ${nextVersion(ROOT)}: look at the changes, commit them, then run npm run release`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
