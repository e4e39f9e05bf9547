import { expect, test } from 'vitest';
import { certify } from '../../certify/certify.ts';
import { FLAWED_RECEIVERS } from '../support/flawed-receivers.ts';
import { receiver, SECRET } from '../support/receivers.ts';
import { serve } from '../support/served.ts';

test.each(Object.entries(FLAWED_RECEIVERS))('a receiver that %s is caught', async (_name, make) => {
  await using served = await serve(receiver(make));
  const results = await certify({
    url: `${served.url}/hooks`,
    secret: SECRET,
    observer: served.url,
    deadlineMs: 2_000,
    stopAtFailure: true,
  });
  expect(results.at(-1)).toMatchObject({ verdict: 'failed' });
});

test('at least twenty-five flawed receivers are tried', () => {
  expect(Object.keys(FLAWED_RECEIVERS).length).toBeGreaterThanOrEqual(25);
});
