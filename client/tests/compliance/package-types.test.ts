import { afterAll, describe, expect, test } from 'vitest';
import { newConsumer } from '../support/package-consumer.ts';

/** What an application would write, with a type of each entry point pinned down. */
const ANYWHERE = `
import { Analytics, type CallResult, createConfigClient, verify } from '@waybill/client';
import { Analytics as Alone, type AnalyticsOptions } from '@waybill/client/analytics';
import { type ConfigClient, isConfigApiError } from '@waybill/client/config';
import { type EventOf, parse, webWebhook } from '@waybill/client/webhooks';

const options: AnalyticsOptions<false> = { host: 'https://router.example', uploadSize: 10 };
const result: CallResult = new Analytics('key', options).track('user-42', 'Signed Up', { plan: 'pro' });
export const reason: string = result.ok ? result.messageId : result.reason;
export const settled: Promise<CallResult> = new Alone('key', { syncMode: true }).identify('user-42');
const client: ConfigClient = createConfigClient({ baseUrl: 'https://router.example', token: 'token' });
export const names: Promise<string> = client.sources.get('workspaces/main/sources/js').then(({ name }) => name);
export const isKnown = (error: unknown): boolean => isConfigApiError(error, 'NotFound');
export const isValid: Promise<boolean> = verify({ body: '{}', signature: '', secret: 's3cret' });
const parsed = parse('{}');
if (parsed.kind === 'event' && parsed.event.type === 'track') {
  const event: EventOf<'track'> = parsed.event;
  const name: string = event.event;
  console.log(name);
}
export const handler: (request: Request) => Promise<Response> = webWebhook({ secret: 's3cret', onEvent: () => {} });
// @ts-expect-error -- there is no such option
new Alone('key', { uploadsize: 10 });
// @ts-expect-error -- an event needs a name
new Alone('key').track('user-42');
`;

const IN_NODE = `
import { createServer } from 'node:http';
import { Analytics } from '@waybill/client/analytics';
import { closeOnSignal, diskStore } from '@waybill/client/analytics/node';
import { nodeWebhook } from '@waybill/client/webhooks';

const analytics = new Analytics('key', { store: diskStore({ folder: './queue' }) });
closeOnSignal(analytics, { signals: ['SIGTERM'] });
const listen = nodeWebhook({ secret: 's3cret', onEvent: (event) => console.log(event.type) });

// What may be undefined stands for none, everywhere.
declare const ms: number | undefined;
closeOnSignal(analytics, { signals: undefined, timeoutMs: ms });
void analytics.flush({ timeoutMs: ms }).then(() => analytics.close({ timeoutMs: ms }));
export const other = () => diskStore({ folder: './other', segmentBytes: ms });
nodeWebhook({ secret: 's3cret', onEvent: () => {}, onError: undefined, replays: undefined, limitBytes: ms });
createServer((request, response) => void listen(request, response));
`;

const consumer = newConsumer('@types/node');
consumer.write({ 'anywhere.ts': ANYWHERE, 'in-node.ts': IN_NODE });

afterAll(() => consumer[Symbol.dispose]());

describe('a strict consumer, declarations of libraries checked too', () => {
  test.each([
    ['bundler', ['anywhere.ts'], { module: 'esnext', lib: ['es2022', 'dom', 'dom.iterable'], types: [] }],
    ['nodenext', ['anywhere.ts', 'in-node.ts'], { module: 'nodenext', lib: ['es2022'], types: ['node'] }],
  ])('compiles with moduleResolution %s', async (moduleResolution, files, options) => {
    expect(await consumer.typeCheck({ target: 'es2022', moduleResolution, ...options }, files)).toBe('');
  });

  test('is told of a mistake', async () => {
    consumer.write({ 'mistaken.ts': "import { Analytics } from '@waybill/client/analytics';\nnew Analytics(42);" });
    const options = { module: 'nodenext', lib: ['es2022'], types: ['node'] };
    expect(await consumer.typeCheck(options, ['mistaken.ts'])).toContain("'number' is not assignable to parameter");
  });
});
