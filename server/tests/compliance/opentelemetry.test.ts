import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../scripts/router/connect.ts';
import { type RouterProcess, startRouterProcess } from '../../../scripts/router/router-process.ts';
import { attributesOf, type Collector, type OtlpSpan, startCollector } from '../support/otlp-collector.ts';
import { portOf } from '../support/raw-receiver.ts';

const TOKEN = 'opentelemetry-0123456789';
const [TRACE, SPAN] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
const [SERVER, CLIENT, INTERNAL] = [2, 3, 1];

test('a trace leads from the sender over storage and a restart to each attempt', async () => {
  const world = await startWorld({ OTEL_SERVICE_NAME: 'events' });
  world.answer(503);
  await world.send({ messageId: 'm-1', userId: 'jane@example.com', properties: { coupon: 'top-secret' } }, sampled());
  await expect.poll(() => spansOf(world.collector, 'POST').length).toBeGreaterThan(0);
  await world.router.kill();
  world.answer(200);
  await world.start();
  await expect.poll(() => spansOf(world.collector, 'POST').filter((span) => status(span) === 200).length).toBe(1);

  const { spans } = world.collector;
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  const [receive] = spansOf(world.collector, `receive ${world.source}`);
  const [store] = spansOf(world.collector, 'store');
  expect(receive).toMatchObject({ parentSpanId: SPAN, kind: SERVER });
  expect(store).toMatchObject({ parentSpanId: receive?.spanId, kind: INTERNAL });
  expect(attributesOf(receive ?? fail())).toEqual({
    'messaging.system': 'waybill',
    'messaging.operation.name': 'receive',
    'messaging.operation.type': 'receive',
    'messaging.destination.name': world.source,
    'messaging.message.id': 'm-1',
  });
  const posts = spansOf(world.collector, 'POST');
  for (const post of posts) expect(post).toMatchObject({ parentSpanId: receive?.spanId, kind: CLIENT });
  expect(attributesOf(posts.find((post) => status(post) === 503) ?? fail())).toMatchObject({
    'messaging.operation.type': 'send',
    'messaging.destination.name': `${world.source}/destinations/webhooks`,
    'http.request.method': 'POST',
    'http.request.resend_count': 0,
    'http.response.status_code': 503,
    'error.type': 'http_5xx',
    'url.scheme': 'http',
    'server.address': '127.0.0.1',
    'server.port': world.port,
  });
  const ids = posts.map(({ spanId }) => `00-${TRACE}-${spanId}-01`);
  expect(ids).toContain(world.received.at(-1)?.['traceparent']);
  expect(world.collector.resource).toMatchObject({ 'service.name': 'events', 'telemetry.sdk.language': 'nodejs' });
});

test('SAFE-3: no user, no body, no path of a webhook and no secret is in what is exported', async () => {
  const world = await startWorld({}, { sharedSecret: 'shared-secret-of-the-hook' });
  const [userId, anonymousId] = ['jane@example.com', 'anonymous-7'];
  await world.send({ messageId: 'm-1', userId, anonymousId, traits: { phone: '555-0100' } }, sampled());
  await expect.poll(() => spansOf(world.collector, 'POST').length).toBe(1);
  await world.router.stop();
  const exported = world.collector.requests.map(({ body }) => body.toString('utf8')).join('\n');
  expect(exported).toContain('m-1');
  for (const secret of [
    userId,
    anonymousId,
    '555-0100',
    '/hidden/path',
    'shared-secret-of-the-hook',
    TOKEN,
    world.writeKey,
  ])
    expect(exported).not.toContain(secret);
});

test('an event that is not sampled has no span, and its webhook no traceparent', async () => {
  const world = await startWorld({});
  await world.send({ messageId: 'unsampled' }, { traceparent: `00-${TRACE}-${SPAN}-00` });
  await expect.poll(() => world.received.length).toBe(1);
  await world.send({ messageId: 'sampled' }, { traceparent: 'not one of W3C' });
  await expect.poll(() => spansOf(world.collector, 'POST').length).toBe(1);
  const messages = world.collector.spans.map((span) => attributesOf(span)['messaging.message.id']);
  expect(messages.filter((id) => id !== undefined)).toEqual(['sampled', 'sampled']);
  expect(world.collector.spans.map(({ traceId }) => traceId)).not.toContain(TRACE);
  expect(world.received.map(({ traceparent }) => typeof traceparent)).toEqual(['undefined', 'string']);
});

test('a webhook gets no traceparent unless its destination asks for it', async () => {
  const world = await startWorld({}, { traceContext: false });
  await world.send({ messageId: 'm-1' }, sampled());
  await expect.poll(() => spansOf(world.collector, 'POST').length).toBe(1);
  expect(world.received.map(({ traceparent }) => traceparent)).toEqual([undefined]);
});

test('a sampler by ratio samples that part of the traces, and a duplicate says so', async () => {
  const world = await startWorld({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' });
  // The decision follows from the trace id: the first is below one half, the second is not.
  const [below, above] = ['0'.repeat(24) + '00000001', '0'.repeat(24) + 'ffffffff'];
  await world.send({ messageId: 'above' }, { traceparent: `00-${above}-${SPAN}-01` });
  await world.send({ messageId: 'below' }, { traceparent: `00-${below}-${SPAN}-00` });
  await world.send({ messageId: 'below' }, { traceparent: `00-${below}-${SPAN}-00` });
  await expect.poll(() => spansOf(world.collector, `receive ${world.source}`).length).toBe(2);
  await expect.poll(() => spansOf(world.collector, 'POST').length).toBe(1);
  const [first, second] = spansOf(world.collector, `receive ${world.source}`).map((span) => attributesOf(span));
  expect([first?.['messaging.message.id'], second?.['messaging.message.id']]).toEqual(['below', 'below']);
  expect([first?.['waybill.event.duplicate'], second?.['waybill.event.duplicate']]).toEqual([undefined, true]);
});

test('of events without a trace the part that a sampler by ratio takes has one each, with an id of that part', async () => {
  const world = await startWorld({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' });
  await Promise.all(Array.from({ length: 80 }, (_one, index) => world.send({ messageId: `m-${index}` }, {})));
  await expect.poll(() => world.received.length).toBe(80);
  const traces = (): string[] => spansOf(world.collector, `receive ${world.source}`).map(({ traceId }) => traceId);
  await expect.poll(() => traces().length).toBeGreaterThan(10);
  expect(traces().length).toBeLessThan(70);
  expect(new Set(traces()).size).toBe(traces().length);
  const sampler = new TraceIdRatioBasedSampler(0.5);
  const taken = traces().filter(
    (id) => sampler.shouldSample(ROOT_CONTEXT, id).decision !== SamplingDecision.NOT_RECORD,
  );
  expect(taken).toEqual(traces());
});

test('metrics are exported as /metrics has them', async () => {
  const world = await startWorld({ OTEL_METRIC_EXPORT_INTERVAL: '100', OTEL_TRACES_EXPORTER: 'none' });
  await world.send({ messageId: 'm-1' }, {});
  await expect.poll(() => world.received.length).toBe(1);
  const named = (name: string) => world.collector.metrics.find((metric) => metric.name === name);
  await expect
    .poll(() => named('waybill_attempts_total')?.sum?.dataPoints[0])
    .toMatchObject({ attributes: [{ key: 'outcome', value: { stringValue: 'delivered' } }], asDouble: 1 });
  expect(named('waybill_events_accepted_total')?.sum).toMatchObject({ isMonotonic: true });
  expect(named('waybill_deliveries_in_flight')?.gauge?.dataPoints).toMatchObject([{ asDouble: 0 }]);
  const histogram = named('waybill_attempt_seconds')?.histogram?.dataPoints[0];
  const { bucketCounts = [], explicitBounds = [] } = histogram ?? {};
  expect([histogram?.count, bucketCounts.reduce((sum, one) => sum + one, 0)]).toEqual([1, 1]);
  expect([bucketCounts.length, explicitBounds.at(-1), named('waybill_attempt_seconds')?.unit]).toEqual([11, 5, 's']);
  const page = await (await fetch(`${world.router.url}/metrics`)).text();
  const served = [...page.matchAll(/^([a-z_]+?)(?:_bucket|_sum|_count)?(?:\{| )/gm)].map(([, name]) => name);
  expect(new Set(world.collector.metrics.map(({ name }) => name))).toEqual(new Set(served));
  expect(world.collector.spans).toEqual([]);
});

test('the default is protobuf', async () => {
  const world = await startWorld({ OTEL_EXPORTER_OTLP_PROTOCOL: '' });
  await world.send({ messageId: 'm-1' }, sampled());
  const traces = () => world.collector.requests.filter(({ path }) => path === '/v1/traces');
  await expect.poll(() => Buffer.concat(traces().map(({ body }) => body)).includes('POST')).toBe(true);
  expect(traces()[0]?.type).toBe('application/x-protobuf');
  expect(traces()[0]?.body.includes(Buffer.from(TRACE, 'hex'))).toBe(true);
});

test('a collector that is away costs no event, and the log tells of it once', async () => {
  const world = await startWorld({ OTEL_EXPORTER_OTLP_TIMEOUT: '50' });
  await world.collector[Symbol.asyncDispose]();
  await world.send({ messageId: 'm-1' }, sampled());
  await expect.poll(() => world.router.written.stdout).toContain('traces cannot be exported to the collector');
  await world.send({ messageId: 'm-2' }, sampled());
  await expect.poll(() => world.received.length).toBe(2);
  expect(await world.router.stop()).toBe(0);
  expect(world.router.written.stdout.match(/traces cannot be exported/g)).toHaveLength(1);
});

test('a router that stops tells its collector of all that it did, and finds no store closed for that', async () => {
  const world = await startWorld({ OTEL_TRACES_EXPORTER: 'none' });
  await world.send({ messageId: 'm-1' }, {});
  await expect.poll(() => world.router.written.stdout).toContain('attempt delivered');
  expect(await world.router.stop()).toBe(0);
  const attempts = world.collector.metrics.find(({ name }) => name === 'waybill_attempts_total');
  expect(attempts?.sum?.dataPoints.map(({ asDouble }) => asDouble)).toEqual([1]);
  expect(world.router.written.stdout).not.toContain('cannot');
});

function sampled(): Record<string, string> {
  return { traceparent: `00-${TRACE}-${SPAN}-01` };
}

function spansOf({ spans }: Collector, name: string): readonly OtlpSpan[] {
  return spans.filter((span) => span.name === name);
}

function status(span: OtlpSpan): unknown {
  return attributesOf(span)['http.response.status_code'];
}

function fail(): never {
  throw new Error('the collector has no such span');
}

interface Given {
  readonly sharedSecret?: string;
  readonly traceContext?: boolean;
}

/** A router that exports to a collector, with a source that delivers to a receiver. */
async function startWorld(env: NodeJS.ProcessEnv, { traceContext = true, ...given }: Given = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-telemetry-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const collector = await startCollector();
  onTestFinished(() => collector[Symbol.asyncDispose]());
  const receiver = await startReceiver();
  const start = async (): Promise<RouterProcess> => {
    const flags = {
      port: '0',
      'data-dir': folder,
      token: TOKEN,
      'allow-networks': '127.0.0.0/8',
      'retry-first-wait': '50ms',
    };
    const to = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    };
    const router = await startRouterProcess(flags, { env: { ...to, ...env } });
    onTestFinished(() => router[Symbol.asyncDispose]());
    return router;
  };
  let router = await start();
  const hook = `http://127.0.0.1:${receiver.port}/hidden/path`;
  const writeKey = await connect({ url: router.url, token: TOKEN, slug: 'web', hook, traceContext, ...given });
  return {
    ...receiver,
    collector,
    writeKey,
    source: 'workspaces/main/sources/web',
    get router() {
      return router;
    },
    start: async () => void (router = await start()),
    send: async (call: object, headers: Record<string, string>) => {
      const body = JSON.stringify({ writeKey, event: 'Bought', userId: 'u-1', ...call });
      const answer = await fetch(`${router.url}/v1/track`, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
    },
  };
}

async function startReceiver() {
  const received: IncomingHttpHeaders[] = [];
  let answer = 200;
  const server = createServer((request, response) => {
    received.push(request.headers);
    request.resume().on('end', () => {
      response.statusCode = answer;
      response.end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: portOf(server), received, answer: (next: number) => void (answer = next) };
}
