import { expect, test } from 'vitest';
import { startConfigApi, withSource } from '../support/config-api.ts';
import { foundIn, PLAN } from '../support/tracking.ts';

const PATH = '/workspaces/main/sources/js/violations';
const TIME = '2026-11-20T12:00:00.000Z';

test('D-46: the Config API shows counts and the last violations', async () => {
  const api = await startConfigApi();
  const source = await withSource(api);
  expect(await api.ok('GET', PATH)).toMatchObject({ counts: [], violations: [] });
  const what = {
    kind: 'type_mismatch',
    action: 'omitted',
    rule: 'event',
    field: 'properties.a',
    message: 'must be number',
  } as const;
  const where = { type: 'track', event: 'Order' } as const;
  const older = {
    kind: 'unplanned_trait',
    action: 'allowed',
    message: 'is not in the tracking plan',
    type: 'identify',
  } as const;
  api.violations.add(source, ...foundIn([{ ...older, plan: PLAN, messageId: 'm1', receivedAt: TIME }]));
  api.violations.add(source, ...foundIn([{ ...what, ...where, plan: PLAN, messageId: 'm2', receivedAt: TIME }]));
  const shown = { tracking_plan_id: `rs_${'p'.repeat(27)}`, receive_time: TIME };
  expect(await api.ok('GET', PATH)).toMatchObject({
    counts: [
      { type: 'identify', kind: 'unplanned_trait', count: 1 },
      { type: 'track', event: 'Order', kind: 'type_mismatch', count: 1 },
    ],
    violations: [
      { ...what, ...where, ...shown, message_id: 'm2' },
      { ...older, ...shown, message_id: 'm1' },
    ],
  });
  expect(await api.call('GET', PATH.replace('/js/', '/none/'))).toMatchObject({ status: 404, body: { code: 5 } });
});
