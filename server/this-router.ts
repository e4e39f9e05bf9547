import { hostname } from 'node:os';
import manifest from './package.json' with { type: 'json' };
import type { Router } from './storage/members.ts';

/** What this process goes by among the routers of its storage. */
export const THIS_ROUTER: Router = { name: `${hostname()}:${process.pid}`, version: manifest.version };
