import type { Log } from '../../ports/log.ts';

/** As the exporters of all signals have it. */
interface Exporter<Items> {
  export(items: Items, done: (result: Result) => void): void;
}

interface Result {
  /** 0 for success. */
  readonly code: number;
  readonly error?: Error;
}

/** The exporter, whose changes between success and failure the log tells: what could not be exported is lost. */
export function told<Items, Own extends Exporter<Items>>(exporter: Own, what: string, log: Log): Own {
  const own = exporter.export.bind(exporter);
  let isFailing = false;
  exporter.export = (items, done) =>
    own(items, (result) => {
      const fails = result.code !== 0;
      if (fails && !isFailing)
        log.warn({ reason: result.error?.message }, `${what} cannot be exported to the collector`);
      if (!fails && isFailing) log.info({}, `${what} are exported again`);
      isFailing = fails;
      done(result);
    });
  return exporter;
}
