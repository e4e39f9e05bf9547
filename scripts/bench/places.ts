import { join } from 'node:path';
import { startPostgres } from '../../server/tests/support/postgres-server.ts';
import { inFolder } from './folder.ts';
import { DURABLE } from './postgres-cost.ts';

/** Runs some work on an empty place for routers, as WAYBILL_STORAGE has it; nothing is left of it. */
export type OnPlace = <Result>(use: (place: string) => Promise<Result>) => Promise<Result>;

export const onFolder: OnPlace = (use) => inFolder((folder) => use(`file:${join(folder, 'data')}`));

export const onPostgres: OnPlace = async (use) => {
  const server = await startPostgres({ settings: DURABLE });
  try {
    return await use(server.url());
  } finally {
    await server.stop();
  }
};
