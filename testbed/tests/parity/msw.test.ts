import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ScriptError } from '../../index.ts';
import { createFetchTransport, MSW, MswEndpoint } from '../../msw/index.ts';
import { stepOf } from '../../parity/vocabulary.ts';
import { outcomeAt, playedBy, refusedBy } from '../support/parity.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

test.each(playedBy('msw'))('through MSW the engine sees %s as %s', async (step, outcome) => {
  using endpoint = new MswEndpoint({ url: 'http://hooks.test/hook', script: step });
  server.use(...endpoint.handlers);
  expect(await outcomeAt(endpoint.url, createFetchTransport(), step, outcome)).toBe(outcome);
  expect(endpoint.received).toHaveLength(1);
});

test.each(refusedBy('msw'))('MSW refuses $step, and says what can do it', (row) => {
  expect(MSW.refuses(stepOf(row))).toMatch(/; .*\ba receiver/);
  expect(() => new MswEndpoint({ url: 'http://hooks.test/', script: row.step })).toThrow(ScriptError);
});
