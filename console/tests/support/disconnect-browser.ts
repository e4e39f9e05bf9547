import { afterAll } from 'vitest';
import { disconnect } from './browser.ts';

/* Runs before every file of tests that look at pages (vitest.config.ts); those that share a process load `browser.ts` once. */
afterAll(disconnect);
