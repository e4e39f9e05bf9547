import { setTimeout as wait } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { heldNow, leaksSince } from './leaks.ts';

/** What is closing takes a moment, on a busy machine some seconds. */
const CLOSING_MS = 20_000;
const LOOK_MS = 20;

/*
 * Runs before every test file that shares its process with others (vitest.config.ts): fails a file after which something is
 * left that the next one would meet.
 */
const before = heldNow();

// Registered first, and so called last: after what the file itself does in the end.
afterAll(async () => {
  const until = performance.now() + CLOSING_MS;
  let found = leaksSince(before, heldNow());
  while (found.length > 0 && performance.now() < until) {
    await wait(LOOK_MS);
    found = leaksSince(before, heldNow());
  }
  if (found.length > 0) throw new Error(`this file leaves behind what others would meet:\n${found.join('\n')}`);
}, 2 * CLOSING_MS);
