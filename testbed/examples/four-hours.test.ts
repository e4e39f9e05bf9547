import { pictureOf, simulate, totalsOf } from '@waybill/testbed';
import { expect, test } from 'vitest';

test('an hour without a certificate costs us no event, and few attempts', async () => {
  const run = await simulate({ outage: 'certificate-expiry', events: 200, hours: 4, seed: 1 });
  const { delivered, attempts, longestDelayMs } = totalsOf(pictureOf(run));
  expect(delivered).toBe(200);
  expect(attempts).toBeLessThan(260);
  expect(longestDelayMs).toBeLessThan(2 * 3_600_000);
});

test('an outage of our own: a release that answers 500 for five minutes', async () => {
  const outage = {
    name: 'bad release',
    story: 'a release that answers 500 is rolled back after five minutes',
    expects: 'every event arrives once the old version is back',
    phases: [{ lasts: '5m', script: '500 x*' }],
  } as const;
  const { delivered, events } = totalsOf(pictureOf(await simulate({ outage, hours: 1, seed: 7 })));
  expect(delivered).toBe(events);
});
