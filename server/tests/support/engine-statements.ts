import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { vi } from 'vitest';
import {
  CONFIRM,
  DURABLE,
  keeps,
  reads,
  script,
  type Statement,
  writes,
} from '../../storage/postgres/connection/statement.ts';

const ENGINE = fileURLToPath(new URL('../../storage/postgres', import.meta.url));
const STATEMENTS = `${ENGINE}/connection/statement.ts`;

export interface EngineStatements {
  /** All that were made when the files of the engine were loaded. */
  readonly made: readonly Statement[];
  /** Names that the text of its files gives to statements. */
  readonly named: readonly string[];
}

type Make = (name: string, text: string, isNews?: string) => Statement;

/** Loads the whole engine, and answers its statements: a new one is found by itself. */
export async function engineStatements(): Promise<EngineStatements> {
  const made: Statement[] = [];
  const noting = (make: Make): Make => {
    return (...parts) => {
      const statement = make(...parts);
      made.push(statement);
      return statement;
    };
  };
  vi.resetModules();
  vi.doMock(STATEMENTS, () => ({
    reads: noting(reads),
    keeps: noting(keeps),
    writes: noting(writes),
    script,
    CONFIRM,
    DURABLE,
  }));
  const files = globSync(`${ENGINE}/**/*.ts`);
  for (const file of files) await import(pathToFileURL(file).href);
  vi.doUnmock(STATEMENTS);
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const named = texts.flatMap((text) =>
    [...text.matchAll(/\b(?:reads|keeps|writes|newRows)\(\s*'(\w+)'/g)].map(([, name = '']) => name),
  );
  return { made, named };
}
