import { custom } from './custom.ts';

/** `X-Slack-Signature: v0=<hex>` over `v0:<seconds>:<body>`, the seconds in `X-Slack-Request-Timestamp`. */
export const SLACK = custom({
  name: 'slack',
  title: 'Slack',
  header: 'X-Slack-Signature',
  algorithm: 'SHA-256',
  encoding: 'hex',
  id: [{ field: 'event_id' }],
  withoutId: 'same body',
  type: [{ field: 'event.type' }, { field: 'type' }],
  prefix: 'v0=',
  timestamp: { header: 'X-Slack-Request-Timestamp', toleranceSeconds: 300 },
  payload: ({ timestamp, body }) => Buffer.concat([Buffer.from(`v0:${timestamp}:`), body]),
});
