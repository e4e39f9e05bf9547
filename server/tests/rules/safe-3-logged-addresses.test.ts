import { expect, test } from 'vitest';
import { startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

const PATHS = [
  `/v1/projects/${WRITE_KEY}/settings`,
  `//projects/${WRITE_KEY}/settings/`,
  `/v1/projects/${WRITE_KEY}`,
  `/v1/${WRITE_KEY}`,
  '/v1/track',
];

test('SAFE-3: of an address in which a write key stands, the log says which it is, and not the key', async () => {
  const { url, log } = await startIngestion(undefined, undefined, undefined, undefined, { aborted: true });
  for (const path of PATHS) expect((await fetch(url + path)).status).toBe(503);
  expect(log.lines.map(({ fields }) => fields)).toMatchObject([
    { path: '/v1/projects/{writeKey}/settings' },
    { path: '/v1/projects/{writeKey}/settings' },
    { path: '/v1/…' },
    { path: '/v1/…' },
    { path: '/v1/track' },
  ]);
  expect(JSON.stringify(log.lines)).not.toContain(WRITE_KEY);
});

test('SAFE-1: however long the address of a pixel is, its line in the log is short', async () => {
  const { url, log } = await startIngestion();
  expect((await fetch(`${url}/v1/pixel/${'x'.repeat(10_000)}`)).status).toBe(200);
  expect(log.lines).toMatchObject([{ message: 'pixel not kept', fields: { path: '/v1/pixel/{call}' } }]);
  expect(JSON.stringify(log.lines).length).toBeLessThan(500);
});
