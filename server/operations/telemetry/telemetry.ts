import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Tracing } from '../../ports/tracing.ts';
import type { TelemetrySettings } from '../../settings/telemetry-settings.ts';
import { loadMetrics, type ReadMetrics } from './metrics.ts';
import { startTraces } from './traces.ts';

/** A router that stops waits so long for its collector. */
const CLOSE_LIMIT_MS = 1_000;

/** What this router exports over OTLP. */
export interface Telemetry {
  /** Undefined where traces are not exported. */
  readonly tracing: Tracing | undefined;
  /** Begins to export metrics, where they are. */
  exportMetrics(read: ReadMetrics): void;
  /** Exports what is left, within a moment. */
  close(): Promise<void>;
}

/** Rejects with InvalidSetting where a package that is needed is not installed. */
export async function startTelemetry(
  settings: TelemetrySettings,
  ports: { readonly clock: Clock; readonly log: Log },
): Promise<Telemetry> {
  const traces = settings.traces && (await startTraces(settings.traces, ports.log));
  const meterOf = settings.metrics && (await loadMetrics(settings.metrics, ports));
  const providers: { shutdown(): Promise<void> }[] = traces === undefined ? [] : [traces.provider];
  return {
    tracing: traces?.tracing,
    exportMetrics: (read) => {
      if (meterOf !== undefined) providers.push(meterOf(read));
    },
    close: async () => {
      const closed = new AbortController();
      const all = Promise.allSettled(providers.map((provider) => provider.shutdown()));
      await Promise.race([all, ports.clock.sleep(CLOSE_LIMIT_MS, closed.signal)]);
      closed.abort();
    },
  };
}
