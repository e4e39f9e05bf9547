import { type Outcome, outcomeOf } from '../../server/model/outcome.ts';
import type { Transport } from '../../server/ports/transport.ts';
import type { HostileRow } from './rows.ts';
import { bodyOf, post } from './sender.ts';

/** What a fault cost the sender. */
export interface Measured {
  readonly row: HostileRow;
  /** Of every attempt. */
  readonly outcomes: readonly Outcome[];
  /** The longest that one of them held its slot. */
  readonly slotMs: number;
  /** How far memory grew at its highest, over all attempts together. */
  readonly growthBytes: number;
  /** Time of the processor, in user and system. */
  readonly cpuMs: number;
}

const SAMPLE_MS = 10;

/** Several attempts at once at one receiver. */
export async function measure(
  transport: Transport,
  row: HostileRow,
  url: string,
  deadlineMs: number,
  attempts: number,
): Promise<Measured> {
  const body = bodyOf(row.bodyBytes);
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const cpu = process.cpuUsage();
  let highest = before;
  const sampler = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), SAMPLE_MS);
  const ended = await Promise.all(
    Array.from({ length: attempts }, async () => {
      const started = performance.now();
      const result = await post(transport, url, deadlineMs, body);
      return { outcome: outcomeOf(result), ms: performance.now() - started };
    }),
  );
  clearInterval(sampler);
  const { user, system } = process.cpuUsage(cpu);
  return {
    row,
    outcomes: ended.map(({ outcome }) => outcome),
    slotMs: Math.max(...ended.map(({ ms }) => ms)),
    growthBytes: Math.max(highest, process.memoryUsage.rss()) - before,
    cpuMs: (user + system) / 1000,
  };
}
