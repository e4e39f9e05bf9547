/** The thread of the profiles, which runs and folds keep busy for seconds: deliveries must not wait for them. */
import { parentPort, workerData } from 'node:worker_threads';
import { openProfileEngine } from '../../profiles/sqlite/engine.ts';
import { portOf, serve } from '../deliveries/serve.ts';

if (parentPort === null) throw new Error('this file runs as a thread of the profile store');
serve(portOf(parentPort), () => openProfileEngine(String(workerData)));
