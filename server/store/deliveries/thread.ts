/**
 * The thread on which SQLite works, so that the event loop never waits for a disk. It is sent groups of calls, and runs
 * each group in one transaction: one sync to disk, however many calls share it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openEngine, serve } from './serve.ts';

if (parentPort === null) throw new Error('this file runs as a thread of the delivery store');
serve(parentPort, () => openEngine(String(workerData)));
