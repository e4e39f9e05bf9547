import nock from 'nock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAddressGuard } from '../../../server/delivery/address-guard.ts';
import { createUndiciTransport } from '../../../server/delivery/undici-transport.ts';
import { ScriptError } from '../../index.ts';
import { NOCK, NockEndpoint } from '../../nock/index.ts';
import { stepOf } from '../../parity/vocabulary.ts';
import { outcomeAt, playedBy, refusedBy } from '../support/parity.ts';

beforeAll(() => nock.disableNetConnect());
afterAll(() => nock.restore());

test.each(playedBy('nock'))('through nock the engine sees %s as %s', async (step, outcome) => {
  using endpoint = new NockEndpoint({ url: 'http://hooks.test/hook', script: step });
  const transport = createUndiciTransport(createAddressGuard([]), 5_000);
  expect(await outcomeAt(endpoint.url, transport, step, outcome)).toBe(outcome);
  expect(endpoint.received).toHaveLength(1);
  await transport.close();
});

test.each(refusedBy('nock'))('nock refuses $step, and says what can do it', (row) => {
  expect(NOCK.refuses(stepOf(row))).toMatch(/; .*\ba receiver/);
  expect(() => new NockEndpoint({ url: 'http://hooks.test/', script: row.step })).toThrow(ScriptError);
});

test('an endpoint that is closed leaves no interceptor behind', () => {
  const endpoint = new NockEndpoint({ url: 'http://hooks.test/hook' });
  expect(nock.activeMocks()).toHaveLength(1);
  endpoint.close();
  expect(nock.activeMocks()).toEqual([]);
});
