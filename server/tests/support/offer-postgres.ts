import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findPostgres, type PostgresServer, startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The socket on which to ask for the PostgreSQL server of this run; empty where none can be had. */
    readonly postgres: string;
  }
}

type Providing = Pick<TestProject, 'provide'>;

/** Vitest's global set-up: one server for all tests of a run, from the first that asks for it until the end. */
export function setup(project: Providing): Promise<() => Promise<void>> {
  return offerServer(project, findPostgres());
}

/** The same with these binaries; undefined where there are none. */
export async function offerServer({ provide }: Providing, bin: string | undefined): Promise<() => Promise<void>> {
  if (bin === undefined) {
    const missing = 'no PostgreSQL found (install the package postgresql, or set PGBIN to the folder of its binaries)';
    if (process.env['CI'] === 'true') throw new Error(missing);
    console.warn(`Tests of the PostgreSQL storage are skipped: ${missing}`);
    provide('postgres', '');
    return () => Promise.resolve();
  }
  let server: Promise<PostgresServer> | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'waybill-offer-'));
  const socket = join(folder, 'socket');
  const offer = createServer((asking) => {
    server ??= startPostgres({ bin });
    server.then(
      (started) => asking.end(started.url()),
      (error: unknown) => asking.end(String(error)),
    );
  }).listen(socket);
  await once(offer, 'listening');
  provide('postgres', socket);
  return async () => {
    offer.close();
    await (await server?.catch(() => undefined))?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
