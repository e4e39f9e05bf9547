import { expect, test } from 'vitest';
import { basic, startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';
import { CAPTURED } from '../support/ingestion-captured.ts';

test.each(CAPTURED.map((captured) => [captured.client, captured] as const))(
  'ING-1: what %s sends is accepted unchanged',
  async (_client, { path, body, hasBasic, contentType, events }) => {
    const { post, store } = await startIngestion();
    const headers = { ...(hasBasic ? basic(WRITE_KEY) : {}), 'content-type': contentType };
    expect(await post(path, body, headers)).toMatchObject({ status: 200, body: { success: true } });
    expect(store.events).toMatchObject(events);
    for (const event of store.events) expect(Object.values(event)).not.toContain(null);
  },
);
