/** `node note-statements.ts FILE…`: loads these files of the engine, and prints all statements that they make as JSON. */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { made } from './noted-statements.ts';

const STATEMENTS = new URL('../../storage/postgres/connection/statement.ts', import.meta.url).href;
const NOTED = new URL('./noted-statements.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    return found.url === STATEMENTS && context.parentURL !== NOTED ? { ...found, url: NOTED } : found;
  },
});
for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
console.log(JSON.stringify(made));
