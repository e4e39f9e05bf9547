import * as engine from '../../storage/postgres/connection/statement.ts';

/** Stands for `statement.ts` where the engine is loaded to see which statements it makes (note-statements.ts). */
export * from '../../storage/postgres/connection/statement.ts';

export const made: engine.Statement[] = [];

export const reads = noting(engine.reads);
export const keeps = noting(engine.keeps);
export const writes = noting(engine.writes);

function noting(make: (name: string, text: string, isNews?: string) => engine.Statement): typeof make {
  return (...parts) => {
    const statement = make(...parts);
    made.push(statement);
    return statement;
  };
}
