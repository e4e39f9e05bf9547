import { exampleOf } from '@waybill/testbed';
import { NockEndpoint } from '@waybill/testbed/nock';
import nock from 'nock';
import { afterAll, expect, test } from 'vitest';
import { sendWebhook } from './send-webhook.ts';

afterAll(() => nock.restore());

test.each([
  ['503x2,200', true, 3],
  ['reset:request,200', true, 2],
  ['404', false, 1],
  ['unreachable:dns_error', false, 3],
])('to an endpoint that plays %s the sender says %s after %i attempts', async (script, isSent, attempts) => {
  using endpoint = new NockEndpoint({ url: 'http://hooks.test/hook', secret: 's3cret', script });
  expect(await sendWebhook(endpoint.url, 's3cret', exampleOf('track'), 1)).toBe(isSent);
  expect(endpoint.received).toHaveLength(attempts);
});
