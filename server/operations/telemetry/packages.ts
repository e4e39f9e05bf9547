/** The packages of OpenTelemetry: optional, and loaded only where the environment asks for what they do. */
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import { InvalidSetting } from '../../settings/invalid-setting.ts';
import type { Protocol } from '../../settings/telemetry-settings.ts';

export type TracePackages = Awaited<ReturnType<typeof importTracePackages>>;
export type MetricPackages = Awaited<ReturnType<typeof importMetricPackages>>;

interface MetricExporters {
  readonly OTLPMetricExporter: new () => PushMetricExporter;
}

/** Throws InvalidSetting where one is not installed. */
export function loadTracePackages(protocol: Protocol): Promise<TracePackages> {
  return loaded(
    'traces',
    ['api', 'sdk-trace', 'resources', exporterOf('trace', protocol)],
    importTracePackages(protocol),
  );
}

/** Throws InvalidSetting where one is not installed. */
export function loadMetricPackages(protocol: Protocol): Promise<MetricPackages> {
  const names = ['api', 'sdk-metrics', 'resources', exporterOf('metrics', protocol)];
  return loaded('metrics', names, importMetricPackages(protocol));
}

async function importTracePackages(protocol: Protocol) {
  return {
    api: await import('@opentelemetry/api'),
    sdk: await import('@opentelemetry/sdk-trace'),
    resources: await import('@opentelemetry/resources'),
    exporter: await (protocol === 'http/json'
      ? import('@opentelemetry/exporter-trace-otlp-http')
      : import('@opentelemetry/exporter-trace-otlp-proto')),
  };
}

async function importMetricPackages(protocol: Protocol) {
  const exporter: MetricExporters = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-metrics-otlp-http')
    : import('@opentelemetry/exporter-metrics-otlp-proto'));
  return {
    sdk: await import('@opentelemetry/sdk-metrics'),
    resources: await import('@opentelemetry/resources'),
    exporter,
  };
}

function exporterOf(signal: 'trace' | 'metrics', protocol: Protocol): string {
  return `exporter-${signal}-otlp-${protocol === 'http/json' ? 'http' : 'proto'}`;
}

async function loaded<Packages>(
  signal: string,
  names: readonly string[],
  loading: Promise<Packages>,
): Promise<Packages> {
  try {
    return await loading;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause;
    const packages = names.map((name) => `@opentelemetry/${name}`).join(' ');
    throw new InvalidSetting(
      `OTEL_* variables ask for ${signal}, and not all packages for them are installed: run npm install ${packages}, or set OTEL_SDK_DISABLED=true`,
      { cause },
    );
  }
}
