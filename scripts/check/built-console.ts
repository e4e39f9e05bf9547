import { buildConsole } from '../build-console.mjs';

/** Vitest's global set-up: tests see the console as its sources are now. */
export function setup(): void {
  buildConsole();
}
