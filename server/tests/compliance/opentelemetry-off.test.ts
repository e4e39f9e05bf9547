import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startRouterProcess } from '../../../scripts/router/router-process.ts';

const TOKEN = 'opentelemetry-off-0123456789';

/** The package that keeps metrics loads the API of OpenTelemetry in any case. */
const OTHERS = /\/node_modules\/(?:prom-client|@opentelemetry)\//;

/** Run before the router, in each of its threads: it writes who loads which package of OpenTelemetry, in one line each. */
const WATCH = `
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({
  resolve(name, context, next) {
    if (name.startsWith('@opentelemetry/')) writeSync(2, 'loads: ' + name + ' in ' + context.parentURL + '\\n');
    return next(name, context);
  },
});`;

/** The packages of OpenTelemetry that a router has loaded once it has taken an event, without those that they load themselves. */
async function loadedWith(env: NodeJS.ProcessEnv): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-opentelemetry-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const options = `--import=data:text/javascript,${encodeURIComponent(WATCH)}`;
  const flags = { port: '0', 'data-dir': folder, token: TOKEN };
  await using router = await startRouterProcess(flags, { env: { ...env, NODE_OPTIONS: options } });
  const api = (method: string, path: string, body?: object) =>
    fetch(`${router.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${TOKEN}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const source = { name: 'workspaces/main/sources/web', write_keys: ['k'.repeat(32)] };
  expect((await api('POST', '/v1beta/workspaces/main/sources', { source })).status).toBe(200);
  const event = { writeKey: 'k'.repeat(32), userId: 'u1', event: 'Seen' };
  expect((await api('POST', '/v1/track', event)).status).toBe(200);
  expect((await api('GET', '/metrics')).status).toBe(200);
  await router.stop();
  const loads = router.written.stderr.matchAll(/^loads: (\S+) in (\S+)$/gm);
  return [...loads].filter(([, , by = '']) => !OTHERS.test(by)).map(([, name = '']) => name);
}

test.each([{}, { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }])(
  'with %j the router loads no package of OpenTelemetry',
  async (env) => {
    expect(await loadedWith(env)).toEqual([]);
  },
);

test('where telemetry is on, the same watch sees its packages loaded', async () => {
  const loaded = await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  expect(loaded).toContain('@opentelemetry/sdk-trace');
});
