import { expect, test } from 'vitest';
import { startIngestion } from '../support/ingestion-server.ts';

const SERVER_TIME = '2026-11-20T12:00:00.000Z';

test.each([
  ['no timestamp', {}],
  ['a null timestamp', { timestamp: null }],
  ['an empty timestamp', { timestamp: '' }],
])('ING-6: with %s the server time is used', async (_case, fields) => {
  const { events } = await startIngestion();
  const [event] = await events({ type: 'identify', userId: 'u', sentAt: '2020-01-01T00:00:00Z', ...fields });
  expect(event).toMatchObject({ timestamp: SERVER_TIME, receivedAt: SERVER_TIME });
});

test('ING-6: a timestamp that is given is used', async () => {
  const { events } = await startIngestion();
  const [event] = await events({ type: 'identify', userId: 'u', timestamp: '2026-11-20T11:59:58.500Z' });
  expect(event).toMatchObject({ timestamp: '2026-11-20T11:59:58.500Z', receivedAt: SERVER_TIME });
});
