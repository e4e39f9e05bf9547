/** The thread of the delivery store, as production runs it, on an engine that ends the process at a crash point. */
import { getEnvironmentData, parentPort, workerData } from 'node:worker_threads';
import { openEngine, portOf, serve } from '../../server/storage/file/deliveries/serve.ts';
import { createFuse, parseCrash } from './crash-points.ts';
import { dyingEngine } from './dying-engine.ts';

if (parentPort === null) throw new Error('this file runs as a thread of the delivery store');
const crash = getEnvironmentData('crash');
const pass = createFuse(typeof crash === 'string' ? parseCrash(crash) : undefined);
serve(portOf(parentPort), () => dyingEngine(openEngine(String(workerData)), pass));
