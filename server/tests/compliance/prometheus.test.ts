import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../../scripts/generate/root.ts';
import { connect } from '../../../scripts/router/connect.ts';
import { postBatch } from '../../../scripts/router/post-batch.ts';
import { startRouterProcess } from '../../../scripts/router/router-process.ts';
import { createReceiver } from '../../../testbed/index.ts';
import { createInstruments } from '../../operations/metrics/registry.ts';
import { HAS_PROMETHEUS, PROMTOOL, startPrometheus } from '../support/prometheus.ts';

const TOKEN = 'prometheus-token-0123456789';
const RULES = readFileSync(join(ROOT, 'deploy/prometheus/alerts.yml'), 'utf8');
const RULE_TESTS = readFileSync(join(ROOT, 'deploy/prometheus/alerts.test.yml'), 'utf8');

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

const DASHBOARD: { readonly panels: readonly Panel[] } = JSON.parse(
  readFileSync(join(ROOT, 'deploy/grafana/waybill.json'), 'utf8'),
);

function promtool(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, args, {
    cwd: join(ROOT, 'deploy/prometheus'),
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

test('each alert has a test of when it is told, one of when it is not, and a line for operators', () => {
  expect(alertsIn(RULES).length).toBeGreaterThan(5);
  expect(untested(RULES, RULE_TESTS)).toEqual([]);
  const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
  expect([...page.matchAll(/^\| `(Waybill\w+)` \|/gm)].map(([, name]) => name)).toEqual(alertsIn(RULES));
});

test('an alert without tests is found', () => {
  expect(untested('- alert: New', 'alertname: Other, exp_alerts: []')).toEqual([
    'New is never silent',
    'New is never told',
  ]);
});

test('the duration from which storage is slow is a bound of a bucket, and the tests of the rules have real ones', async () => {
  const { commitSeconds, registry } = createInstruments();
  commitSeconds.observe({ operation: 'accept' }, 0);
  const bounds = boundsIn(await registry.metrics());
  expect(bounds).toContain('5');
  const [, threshold] = /waybill_commit_seconds_bucket.*> ([\d.]+)$/m.exec(RULES) ?? [];
  expect(bounds).toContain(threshold);
  expect(bounds).toEqual(expect.arrayContaining([...boundsIn(RULE_TESTS)]));
});

function boundsIn(text: string): readonly string[] {
  return [...text.matchAll(/waybill_commit_seconds_bucket\{.*?le="([^"]+)"/g)].map(([, bound = '']) => bound);
}

function alertsIn(rules: string): readonly string[] {
  return [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
}

function untested(rules: string, tests: string): readonly string[] {
  return alertsIn(rules).flatMap((name) => [
    ...(new RegExp(`alertname: ${name}, exp_alerts: \\[\\]`).test(tests) ? [] : [`${name} is never silent`]),
    ...(new RegExp(`alertname: ${name}\\n\\s+exp_alerts: *(&\\w+)?\\n`).test(tests) ? [] : [`${name} is never told`]),
  ]);
}

describe.runIf(HAS_PROMETHEUS)('with the tools of Prometheus', () => {
  test('the alert rules are valid, and do what their tests say', () => {
    expect(promtool('check', 'config', 'prometheus.yml')).toMatchObject({ status: 0 });
    expect(promtool('test', 'rules', 'alerts.test.yml')).toMatchObject({ status: 0 });
  });

  test('every query of the dashboard and every metric of an alert finds series of a router', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-scraped-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const receiver = await createReceiver();
    onTestFinished(() => receiver.close());
    const flags = { port: '0', 'data-dir': folder, token: TOKEN, 'allow-networks': '127.0.0.0/8' };
    await using router = await startRouterProcess(flags);
    const writeKey = await connect({ url: router.url, token: TOKEN, slug: 'web', hook: `${receiver.url}/hook` });
    const prometheus = await startPrometheus(router.url);

    await postBatch(router.url, writeKey, ['m-1', 'm-2']);
    await fetch(`${router.url}/v1/batch`, {
      method: 'POST',
      body: JSON.stringify({ writeKey, batch: [{ type: 'none' }] }),
    });
    await receiver.waitFor({ count: 2, within: '60s' });
    const queries = DASHBOARD.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
    expect(queries.length).toBeGreaterThan(10);
    for (const { title, expr } of queries) {
      const expression = expr.replaceAll('$__rate_interval', '10m').replaceAll('$job', 'waybill');
      await expect.poll(() => prometheus.query(expression), { message: `${title}: ${expression}` }).not.toEqual([]);
    }
    const metrics = new Set([...RULES.matchAll(/\b(waybill_\w+)\{/g)].map(([, name = '']) => name));
    // Of audiences there is nothing yet.
    metrics.delete('waybill_audience_runs_total');
    for (const metric of metrics) expect(await prometheus.query(metric), metric).not.toEqual([]);
    expect(await prometheus.query('up{job="waybill"} == 1')).toHaveLength(1);
  });
});
