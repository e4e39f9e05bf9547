import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from './raw-receiver.ts';

/** A span as OTLP has it in JSON. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

export interface OtlpMetric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: { readonly isMonotonic: boolean; readonly dataPoints: readonly OtlpPoint[] };
  readonly gauge?: { readonly dataPoints: readonly OtlpPoint[] };
  readonly histogram?: { readonly dataPoints: readonly OtlpPoint[] };
}

interface OtlpPoint {
  readonly attributes: readonly Attribute[];
  readonly asInt?: number;
  readonly asDouble?: number;
  readonly count?: number;
  readonly sum?: number;
  readonly bucketCounts?: readonly number[];
  readonly explicitBounds?: readonly number[];
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number; readonly boolValue?: boolean };
}

/** An OpenTelemetry collector that keeps what it gets over OTLP/HTTP. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly { readonly path: string; readonly type: string; readonly body: Buffer }[];
  /** Of those that came as JSON. */
  readonly spans: readonly OtlpSpan[];
  /** Those that came last, of all that came as JSON. */
  readonly metrics: readonly OtlpMetric[];
  /** The attributes of the process that sent the last request as JSON. */
  readonly resource: Readonly<Record<string, unknown>>;
}

export async function startCollector(): Promise<Collector> {
  const requests: { path: string; type: string; body: Buffer }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      requests.push({ path, type: headers['content-type'] ?? '', body: Buffer.concat(chunks) });
      response.setHeader('Content-Type', headers['content-type'] ?? '').end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const bodiesOf = (path: string) =>
    requests
      .filter((request) => request.path === path && request.type === 'application/json')
      .map(({ body }) => JSON.parse(body.toString('utf8')));
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    requests,
    get spans() {
      const scopes = bodiesOf('/v1/traces').flatMap(({ resourceSpans }) => resourceSpans);
      return scopes.flatMap(({ scopeSpans }) => scopeSpans).flatMap(({ spans }) => spans);
    },
    get metrics() {
      const last = bodiesOf('/v1/metrics').at(-1)?.resourceMetrics ?? [];
      return last.flatMap((each: { scopeMetrics: { metrics: OtlpMetric[] }[] }) =>
        each.scopeMetrics.flatMap(({ metrics }) => metrics),
      );
    },
    get resource() {
      const last = bodiesOf('/v1/traces').at(-1)?.resourceSpans[0]?.resource.attributes ?? [];
      return attributesOf({ attributes: last });
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function attributesOf({ attributes }: Pick<OtlpSpan, 'attributes'>): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
