/**
 * The thread on which SQLite works, so that the event loop never waits for a disk. All calls that wait for it run in one
 * transaction: one sync to disk, however many share it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openEngine, portOf, serve } from './serve.ts';

if (parentPort === null) throw new Error('this file runs as a thread of the delivery store');
serve(portOf(parentPort), () => openEngine(String(workerData)));
