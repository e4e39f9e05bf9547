import { expect, test } from 'vitest';
import { InvalidSetting } from '../../settings/invalid-setting.ts';
import { readTelemetrySettings } from '../../settings/telemetry-settings.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

test('nothing is exported until an endpoint or an exporter is named', () => {
  expect(readTelemetrySettings({})).toBeUndefined();
  expect(readTelemetrySettings({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' })).toBeUndefined();
  expect(Object.keys(readTelemetrySettings(ENDPOINT) ?? {})).toEqual(['traces', 'metrics']);
  expect(Object.keys(readTelemetrySettings({ OTEL_TRACES_EXPORTER: 'otlp' }) ?? {})).toEqual(['traces']);
  expect(Object.keys(readTelemetrySettings({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://x' }) ?? {})).toEqual([
    'metrics',
  ]);
});

test('what is switched off is not exported', () => {
  expect(readTelemetrySettings({ ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' })).toBeUndefined();
  expect(Object.keys(readTelemetrySettings({ ...ENDPOINT, OTEL_METRICS_EXPORTER: 'none' }) ?? {})).toEqual(['traces']);
});

test('samplers, batches and intervals are read, with the defaults of OpenTelemetry', () => {
  expect(readTelemetrySettings(ENDPOINT)).toEqual({
    traces: {
      protocol: 'http/protobuf',
      sampler: 'parentbased_always_on',
      ratio: 1,
      scheduleDelayMs: 5_000,
      maxQueueSize: 2_048,
      maxBatchSize: 512,
    },
    metrics: { protocol: 'http/protobuf', intervalMs: 60_000 },
  });
  const given = {
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
    OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/json',
    OTEL_METRIC_EXPORT_INTERVAL: '15000',
    OTEL_BSP_MAX_QUEUE_SIZE: '100',
  };
  expect(readTelemetrySettings({ ...ENDPOINT, ...given })).toMatchObject({
    traces: { sampler: 'parentbased_traceidratio', ratio: 0.01, maxBatchSize: 100, protocol: 'http/protobuf' },
    metrics: { protocol: 'http/json', intervalMs: 15_000 },
  });
});

test.each([
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be one of http/protobuf, http/json'],
  ['OTEL_TRACES_EXPORTER', 'zipkin', 'must be one of otlp, none'],
  ['OTEL_TRACES_SAMPLER', 'sometimes', 'must be one of parentbased_always_on, parentbased_always_off'],
  ['OTEL_METRIC_EXPORT_INTERVAL', 'soon', 'must be a number from 1 to 3600000'],
])('%s=%s is refused with what would do', (name, value, wayOut) => {
  expect(() => readTelemetrySettings({ ...ENDPOINT, [name]: value })).toThrow(`${name} "${value}": ${wayOut}`);
});

test.each(['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])(
  '%s without a scheme is refused, and a secret in it is not told',
  (name) => {
    for (const value of ['localhost:4318', 'collector', '//user:s3cret@collector:4318', 'grpc://collector:4317']) {
      const refusal = new InvalidSetting(`${name}: must be a URL such as http://localhost:4318`);
      expect(() => readTelemetrySettings({ [name]: value })).toThrow(refusal);
    }
    expect(readTelemetrySettings({ [name]: 'https://user:s3cret@collector/otlp' })).toBeDefined();
  },
);

test('an endpoint of what is not exported is not looked at', () => {
  const env = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'collector', OTEL_METRICS_EXPORTER: 'none' };
  expect(readTelemetrySettings(env)).toBeUndefined();
});

test('a ratio beyond 1 is refused', () => {
  const env = { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '5' };
  expect(() => readTelemetrySettings(env)).toThrow('OTEL_TRACES_SAMPLER_ARG "5": must be a number from 0 to 1');
});
