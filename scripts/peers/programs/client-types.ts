/** What a strict program says of the packed client, as each TypeScript has to understand it. */
import { createConfigClient, verify } from '@waybill/client';
import { Analytics, type CallResult } from '@waybill/client/analytics';
import { diskStore } from '@waybill/client/analytics/node';
import { isConfigApiError, webhooksConfig } from '@waybill/client/config';
import { type EventOf, parse, webWebhook } from '@waybill/client/webhooks';

const analytics = new Analytics('key', { host: 'https://router.example', store: diskStore({ folder: './queue' }) });
const result: CallResult = analytics.track('user-42', 'Signed Up', { plan: 'pro' });
export const reason: string = result.ok ? result.messageId : result.reason;
// @ts-expect-error -- an event needs a name
analytics.track('user-42');

const client = createConfigClient({ baseUrl: 'https://router.example', token: 'token' });
export const keys: Promise<readonly string[]> = client.sources
  .get('workspaces/main/sources/js')
  .then(({ write_keys }) => write_keys);
export const config = webhooksConfig({ hooks: [{ hook: 'https://receiver.example' }] });
// @ts-expect-error -- a hook is an address
export const mistaken = webhooksConfig({ hooks: [{ hook: 42 }] });
export const isKnown = (error: unknown): boolean => isConfigApiError(error, 'NotFound');

export const isValid: Promise<boolean> = verify({ body: '{}', signature: '', secret: 's3cret' });
const parsed = parse('{}');
if (parsed.kind === 'event' && parsed.event.type === 'track') {
  const event: EventOf<'track'> = parsed.event;
  console.log(event.event satisfies string);
}
export const handler: (request: Request) => Promise<Response> = webWebhook({ secret: 's3cret', onEvent: () => {} });
