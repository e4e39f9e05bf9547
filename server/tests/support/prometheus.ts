import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { freePort } from '../../../scripts/check/free-port.ts';
import { isPossible } from './possible.ts';

export const PROMTOOL = '/usr/bin/promtool';
const PROMETHEUS = '/usr/bin/prometheus';

/** Debian's package. Where it is not installed, its tests are left out; in CI they are not, and fail. */
export const HAS_PROMETHEUS = isPossible(
  process.env['CI'] !== undefined || [PROMTOOL, PROMETHEUS].every((file) => existsSync(file)),
  `${PROMTOOL} and ${PROMETHEUS}`,
);

export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

export interface Prometheus {
  query(expression: string): Promise<readonly Series[]>;
}

/** Scrapes a router as the job `waybill`, until the test is over. */
export async function startPrometheus(router: string): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-prometheus-'));
  const jobs = [
    { job_name: 'waybill', scrape_interval: '200ms', static_configs: [{ targets: [new URL(router).host] }] },
  ];
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify({ scrape_configs: jobs }));
  const port = await freePort();
  const flags = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`];
  const child = spawn(PROMETHEUS, [...flags, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGKILL')) await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(() =>
      fetch(`${url}/-/ready`).then(
        ({ status }) => status,
        () => child.exitCode,
      ),
    )
    .toBe(200);
  return {
    query: async (expression) => {
      const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
      const { data, error }: { data?: { result: Series[] }; error?: string } = JSON.parse(await answer.text());
      if (data === undefined) throw new Error(`${expression}: ${error}`);
      return data.result;
    },
  };
}
