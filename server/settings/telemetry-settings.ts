import { InvalidSetting } from './invalid-setting.ts';

/** What is exported over OTLP, as the `OTEL_*` variables of the environment say. The exporters read where to from them as well. */
export interface TelemetrySettings {
  readonly traces?: TraceSettings;
  readonly metrics?: MetricSettings;
}

export interface TraceSettings {
  readonly protocol: Protocol;
  readonly sampler: SamplerName;
  /** Of all traces; only for a sampler by ratio. */
  readonly ratio: number;
  readonly scheduleDelayMs: number;
  readonly maxQueueSize: number;
  readonly maxBatchSize: number;
}

export interface MetricSettings {
  readonly protocol: Protocol;
  readonly intervalMs: number;
}

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;
export type SamplerName = (typeof SAMPLERS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined where nothing is to be exported: that is so until an endpoint or an exporter is named. Throws InvalidSetting. */
export function readTelemetrySettings(env: Environment): TelemetrySettings | undefined {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return undefined;
  const traces = isExported('TRACES', env) ? readTraces(env) : undefined;
  const metrics = isExported('METRICS', env) ? readMetrics(env) : undefined;
  if (traces === undefined && metrics === undefined) return undefined;
  return { ...(traces && { traces }), ...(metrics && { metrics }) };
}

type Signal = 'TRACES' | 'METRICS';

function isExported(signal: Signal, env: Environment): boolean {
  const exporter = readOneOf(`OTEL_${signal}_EXPORTER`, ['', 'otlp', 'none'], env);
  if (exporter === 'none') return false;
  const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`].filter(
    (name) => env[name],
  );
  for (const name of endpoints) checkEndpoint(name, env[name]);
  return exporter === 'otlp' || endpoints.length > 0;
}

/** The exporters would say so minutes later, in other words. Its value may have a password. */
function checkEndpoint(name: string, value = ''): void {
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? ''))
    throw new InvalidSetting(`${name}: must be a URL such as http://localhost:4318`);
}

function readTraces(env: Environment): TraceSettings {
  const sampler = readOneOf('OTEL_TRACES_SAMPLER', SAMPLERS, env);
  const ratio = sampler.endsWith('traceidratio') ? readNumber('OTEL_TRACES_SAMPLER_ARG', 1, [0, 1], env) : 1;
  const maxQueueSize = readNumber('OTEL_BSP_MAX_QUEUE_SIZE', 2_048, [1, 1_000_000], env);
  return {
    protocol: readProtocol('TRACES', env),
    sampler,
    ratio,
    scheduleDelayMs: readNumber('OTEL_BSP_SCHEDULE_DELAY', 5_000, [1, 3_600_000], env),
    maxQueueSize,
    maxBatchSize: Math.min(maxQueueSize, readNumber('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, [1, 100_000], env)),
  };
}

function readMetrics(env: Environment): MetricSettings {
  const intervalMs = readNumber('OTEL_METRIC_EXPORT_INTERVAL', 60_000, [1, 3_600_000], env);
  return { protocol: readProtocol('METRICS', env), intervalMs };
}

function readProtocol(signal: Signal, env: Environment): Protocol {
  const own = `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`;
  return readOneOf(env[own] ? own : 'OTEL_EXPORTER_OTLP_PROTOCOL', PROTOCOLS, env);
}

/** Unset or empty, the first, which is the default. */
function readOneOf<Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
  env: Environment,
): Choice {
  const value = env[name] ?? '';
  if (value === '') return choices[0];
  const known = choices.find((one) => one === value.toLowerCase());
  if (known !== undefined) return known;
  const allowed = choices.filter((one) => one !== '').join(', ');
  throw new InvalidSetting(`${name} ${JSON.stringify(value)}: must be one of ${allowed}`);
}

function readNumber(
  name: string,
  standard: number,
  [least, most]: readonly [number, number],
  env: Environment,
): number {
  const value = env[name] ?? '';
  if (value === '') return standard;
  const number = Number(value);
  if (number >= least && number <= most) return number;
  throw new InvalidSetting(`${name} ${JSON.stringify(value)}: must be a number from ${least} to ${most}`);
}
