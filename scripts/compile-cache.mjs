// Keeps what is compiled of the project's files, in this process and in those that it starts: without, each start of a router
// strips types anew, for which Node loads a compiler of 30 MB and takes half of the time.
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = join(fileURLToPath(new URL('..', import.meta.url)), 'node_modules/.cache/compiled');
/** By then a router has loaded nearly all that it is made of. */
const LOADED_MS = 1_000;

process.env.NODE_COMPILE_CACHE ??= FOLDER;
// The machine's own Node, which may do no more than set the project up, need not have it.
module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
// Node keeps it when a thread ends by itself, which one that is killed does not.
setTimeout(() => module.flushCompileCache?.(), LOADED_MS).unref();
