import { Analytics } from '../../analytics/analytics.ts';
import type { Logger } from '../../analytics/logger.ts';
import type { AnalyticsOptions } from '../../analytics/options.ts';
import { FakeServer, type Plan, type Step } from './analytics-fake-server.ts';
import { VirtualClock } from './analytics-virtual-clock.ts';

/** Remembers the lines instead of printing them. */
export class MemoryLog implements Logger {
  readonly lines: string[] = [];
  readonly debug = (line: string): void => void this.lines.push(`debug ${line}`);
  readonly warn = (line: string): void => void this.lines.push(`warn ${line}`);
  readonly error = (line: string): void => void this.lines.push(`error ${line}`);
}

/** Half of the range, so that each wait is three quarters of its full length. */
const random = (): number => 0.5;

/** A client, its server and its time, none of which leaves the test. */
export function bench<Sync extends boolean = false>(
  options: AnalyticsOptions<Sync> = {},
  plan: readonly Step[] | Plan = [],
) {
  const clock = new VirtualClock();
  const server = new FakeServer(() => clock.now(), plan);
  const log = new MemoryLog();
  const analytics = new Analytics<Sync>('key', { clock, fetch: server.fetch, logger: log, random, ...options });
  return { analytics, clock, server, log };
}
