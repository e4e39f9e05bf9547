import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Statement } from '../../storage/postgres/connection/statement.ts';

const ENGINE = fileURLToPath(new URL('../../storage/postgres', import.meta.url));
const NOTING = fileURLToPath(new URL('./note-statements.ts', import.meta.url));

export interface EngineStatements {
  /** All that were made when the files of the engine were loaded. */
  readonly made: readonly Statement[];
  /** Names that the text of its files gives to statements. */
  readonly named: readonly string[];
}

/** Loads the whole engine in a process of its own, and answers its statements: a new one is found by itself. */
export function engineStatements(): EngineStatements {
  const files = globSync(`${ENGINE}/**/*.ts`);
  const made: readonly Statement[] = JSON.parse(
    execFileSync(process.execPath, [NOTING, ...files], { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 }),
  );
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const named = texts.flatMap((text) =>
    [...text.matchAll(/\b(?:reads|keeps|writes|newRows)\(\s*'(\w+)'/g)].map(([, name = '']) => name),
  );
  return { made, named };
}
