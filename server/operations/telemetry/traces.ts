import type { Attributes, Context, Span, SpanOptions, Tracer } from '@opentelemetry/api';
import type { IdGenerator, Sampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { classOf } from '../../model/outcome.ts';
import type { Log } from '../../ports/log.ts';
import type { ArrivalTrace, AttemptTrace, Tracing } from '../../ports/tracing.ts';
import type { TraceSettings } from '../../settings/telemetry-settings.ts';
import { THIS_ROUTER } from '../../this-router.ts';
import { loadTracePackages, type TracePackages } from './packages.ts';
import { resourceOf } from './resource.ts';
import { told } from './told-exporter.ts';

export interface Traces {
  readonly tracing: Tracing;
  readonly provider: TracerProvider;
}

export async function startTraces(settings: TraceSettings, log: Log): Promise<Traces> {
  const packages = await loadTracePackages(settings.protocol);
  const { BatchSpanProcessor, RandomIdGenerator, TracerProvider: Provider } = packages.sdk;
  const sampler = samplerOf(settings, packages.sdk);
  const ids = new DrawnIds(new RandomIdGenerator());
  const provider = new Provider({
    resource: resourceOf(packages.resources),
    sampler,
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: told(new packages.exporter.OTLPTraceExporter(), 'traces', log),
        scheduledDelayMillis: settings.scheduleDelayMs,
        maxQueueSize: settings.maxQueueSize,
        maxExportBatchSize: settings.maxBatchSize,
      }),
    ],
  });
  const tracer = provider.getTracer('waybill', THIS_ROUTER.version);
  return { provider, tracing: new SpanTracing({ packages, tracer, sampler, ids }) };
}

function samplerOf({ sampler, ratio }: TraceSettings, sdk: TracePackages['sdk']): Sampler {
  const [on, off] = [new sdk.AlwaysOnSampler(), new sdk.AlwaysOffSampler()];
  const byRatio = new sdk.TraceIdRatioBasedSampler(ratio);
  const samplers: Readonly<Record<TraceSettings['sampler'], Sampler>> = {
    always_on: on,
    always_off: off,
    traceidratio: byRatio,
    parentbased_always_on: new sdk.ParentBasedSampler({ root: on }),
    parentbased_always_off: new sdk.ParentBasedSampler({ root: off }),
    parentbased_traceidratio: new sdk.ParentBasedSampler({ root: byRatio }),
  };
  return samplers[sampler];
}

/** A trace that begins has the id that the sampler was asked about. */
class DrawnIds implements IdGenerator {
  readonly #random: IdGenerator;
  #drawn: string | undefined;

  constructor(random: IdGenerator) {
    this.#random = random;
  }

  draw(): string {
    return (this.#drawn = this.#random.generateTraceId());
  }

  generateTraceId(): string {
    const drawn = this.#drawn ?? this.#random.generateTraceId();
    this.#drawn = undefined;
    return drawn;
  }

  generateSpanId(): string {
    return this.#random.generateSpanId();
  }
}

interface TraceParts {
  readonly packages: TracePackages;
  readonly tracer: Tracer;
  readonly sampler: Sampler;
  readonly ids: DrawnIds;
}

/**
 * Spans by the semantic conventions of messaging and HTTP. They name resources, the event by its messageId, and hosts: no user, no
 * path of a webhook, no header, no body (SAFE-3).
 */
class SpanTracing implements Tracing {
  readonly #api: TracePackages['api'];
  readonly #sdk: TracePackages['sdk'];
  readonly #tracer: Tracer;
  readonly #sampler: Sampler;
  readonly #ids: DrawnIds;

  constructor({ packages: { api, sdk }, tracer, sampler, ids }: TraceParts) {
    [this.#api, this.#sdk] = [api, sdk];
    [this.#tracer, this.#sampler, this.#ids] = [tracer, sampler, ids];
  }

  arrival(
    source: string,
    event: Parameters<Tracing['arrival']>[1],
    parent: string | undefined,
  ): ArrivalTrace | undefined {
    const above = this.#contextOf(parent);
    // Of most events nothing is told: a span that is started and then dropped takes some hundredths of all that is done for an event.
    if (!this.#isSampled(above)) return undefined;
    const { SpanKind, SpanStatusCode } = this.#api;
    const attributes = messaging('receive', source, event.messageId);
    const startTime = Date.parse(event.receivedAt);
    const receive = this.#start(`receive ${source}`, { kind: SpanKind.SERVER, startTime, attributes }, above);
    if (receive === undefined) return undefined;
    const { traceparent, context } = this.#within(receive);
    const store = this.#start('store', { kind: SpanKind.INTERNAL }, context);
    return {
      traceparent,
      end: (result) => {
        if (result instanceof Error)
          receive.setAttribute('error.type', result.name).setStatus({ code: SpanStatusCode.ERROR });
        else if (result === 'duplicate') receive.setAttribute('waybill.event.duplicate', true);
        store?.end();
        receive.end();
      },
    };
  }

  attempt(
    { destination, round, message: { event } }: Parameters<Tracing['attempt']>[0],
    webhook: string,
  ): AttemptTrace | undefined {
    if (event.traceparent === undefined) return undefined;
    const { SpanKind, SpanStatusCode } = this.#api;
    const attributes = { ...messaging('send', destination, event.messageId), ...http(webhook, round) };
    const post = this.#start('POST', { kind: SpanKind.CLIENT, attributes }, this.#contextOf(event.traceparent));
    if (post === undefined) return undefined;
    return {
      traceparent: this.#within(post).traceparent,
      end: (outcome, status) => {
        if (status !== undefined) post.setAttribute('http.response.status_code', status);
        if (classOf(outcome) !== 'success')
          post.setAttribute('error.type', outcome).setStatus({ code: SpanStatusCode.ERROR });
        post.end();
      },
    };
  }

  /** Asked as for a span of its own: with the trace that it would belong to. */
  #isSampled(above: Context | undefined): boolean {
    const { ROOT_CONTEXT, SpanKind, trace } = this.#api;
    const traceId = (above && trace.getSpanContext(above)?.traceId) ?? this.#ids.draw();
    const { decision } = this.#sampler.shouldSample(above ?? ROOT_CONTEXT, traceId, 'receive', SpanKind.SERVER, {}, []);
    return decision !== this.#sdk.SamplingDecision.NOT_RECORD;
  }

  /** Undefined where the sampler does not take it. */
  #start(name: string, options: SpanOptions, context: Context | undefined): Span | undefined {
    const span = this.#tracer.startSpan(name, options, context ?? this.#api.ROOT_CONTEXT);
    return span.isRecording() ? span : undefined;
  }

  #within(span: Span): { readonly traceparent: string; readonly context: Context } {
    const { traceId, spanId } = span.spanContext();
    const context = this.#api.trace.setSpan(this.#api.ROOT_CONTEXT, span);
    return { traceparent: `00-${traceId}-${spanId}-01`, context };
  }

  /** What is no `traceparent` begins a trace of its own. */
  #contextOf(traceparent: string | undefined): Context | undefined {
    // Of nearly all events: what is not sampled costs little more than to ask.
    if (traceparent === undefined) return undefined;
    const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(traceparent) ?? [];
    const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
    if (!this.#api.isSpanContextValid(spanContext)) return undefined;
    return this.#api.trace.setSpanContext(this.#api.ROOT_CONTEXT, spanContext);
  }
}

/** Of later versions, what version 00 has. */
const TRACEPARENT = /^(?!ff|00-.{53})[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

function messaging(operation: 'receive' | 'send', place: string, messageId: string): Attributes {
  return {
    'messaging.system': 'waybill',
    'messaging.operation.name': operation,
    'messaging.operation.type': operation,
    'messaging.destination.name': place,
    'messaging.message.id': messageId,
  };
}

/** Paths and queries of webhooks may be secrets. */
function http(webhook: string, round: number): Attributes {
  const { protocol, hostname, port } = new URL(webhook);
  return {
    'http.request.method': 'POST',
    'http.request.resend_count': round - 1,
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
}
