import { expect, test } from 'vitest';
import { startIngestion } from '../support/ingestion-server.ts';

test.each([
  ['Z', '2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.000Z'],
  ['an offset to the east', '2026-11-20T15:30:00.000+05:30', '2026-11-20T10:00:00.000Z'],
  ['an offset to the west', '2026-11-20T05:00:00-05:00', '2026-11-20T10:00:00.000Z'],
  ['an offset over midnight', '2026-11-21T00:30:00.250+14:00', '2026-11-20T10:30:00.250Z'],
])('ING-9: a timestamp with %s keeps its instant', async (_zone, sent, instant) => {
  const { events } = await startIngestion();
  const [event] = await events({ type: 'identify', userId: 'u', timestamp: sent });
  expect(event).toMatchObject({ timestamp: instant, originalTimestamp: sent });
});

test.each([
  ['2026-11-20T10:00:00', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20T10:00:00.000004', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20 10:00:00', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
])('ING-9, D-44: the naive timestamp %s is read as UTC', async (sent, instant) => {
  const { events } = await startIngestion();
  const [event] = await events({ type: 'identify', userId: 'u', timestamp: sent });
  expect(event).toMatchObject({ timestamp: instant, originalTimestamp: sent });
});
