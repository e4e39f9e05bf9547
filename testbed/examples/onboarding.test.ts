import { configApiHandlers } from '@waybill/testbed/msw';
import { HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connectCustomer } from './onboarding.ts';

const server = setupServer();
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const CUSTOMER = { slug: 'acme', hook: 'https://acme.example/hooks', secret: 's3cret' };
const SOURCE = 'workspaces/main/sources/acme';
const busy = () => HttpResponse.json({ error: 'overloaded', code: 14 }, { status: 503 });

test('a customer gets a source and an enabled webhook', async () => {
  const api = configApiHandlers();
  server.use(...api.handlers);
  const writeKey = await connectCustomer(api, CUSTOMER);
  expect(await api.get(SOURCE)).toMatchObject({ write_keys: [writeKey] });
  expect(await api.get(`${SOURCE}/destinations/webhooks`)).toMatchObject({ enabled: true });
});

test('a second try takes the source that is there', async () => {
  const api = configApiHandlers();
  server.use(...api.handlers);
  const { write_keys } = await api.add('workspaces/main/sources', { name: SOURCE });
  expect([await connectCustomer(api, CUSTOMER)]).toEqual(write_keys);
  expect(api.calls.map(({ operation, status }) => `${operation} ${status}`)).toEqual([
    'createSource 409',
    'getSource 200',
    'createDestination 200',
  ]);
});

test('an overloaded router is an error, and not a customer without a webhook', async () => {
  const api = configApiHandlers({ answers: { createDestination: busy } });
  server.use(...api.handlers);
  await expect(connectCustomer(api, CUSTOMER)).rejects.toMatchObject({ status: 503 });
});
