import { Session } from 'node:inspector/promises';

/** A function of the router that ran: its file below `server/`, and its name. */
export interface Ran {
  readonly file: string;
  readonly name: string;
}

const OF_ROUTER = /\/server\/(?<file>(?!.*node_modules).+)$/;

/** V8's own counts of the named functions that run on this process's event loop. */
export class Coverage implements AsyncDisposable {
  readonly #session = new Session();

  static async begin(): Promise<Coverage> {
    const coverage = new Coverage();
    coverage.#session.connect();
    await coverage.#session.post('Profiler.enable');
    await coverage.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return coverage;
  }

  /** What ran since the last look, each function once. */
  async take(): Promise<readonly Ran[]> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    return result.flatMap(({ url, functions }) => {
      const file = OF_ROUTER.exec(url)?.groups?.['file'];
      if (file === undefined) return [];
      const names = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).map((one) => one.functionName);
      return [...new Set(names)].filter((name) => name !== '').map((name) => ({ file, name }));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session.post('Profiler.disable');
    this.#session.disconnect();
  }
}
