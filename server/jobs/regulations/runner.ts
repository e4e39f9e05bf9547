import type { Log } from '../../ports/log.ts';
import { isOver } from './regulation.ts';
import { rowsAfter } from './rows.ts';
import { run, type RunPorts } from './run.ts';

export interface RunnerPorts extends RunPorts {
  readonly log: Log;
}

/** How long to wait before a store that could not answer is asked again. */
const PAUSE_MS = 1_000;

/**
 * Carries out regulations, one after another, in the order in which they came. Life: `start` once, which takes up what an
 * earlier process left, `stop` once.
 */
export class RegulationRunner {
  readonly #ports: RunnerPorts;
  readonly #abort = new AbortController();
  readonly #waiting: string[] = [];
  /** Set while one is being carried out. Never rejects. */
  #working: Promise<void> | undefined;

  constructor(ports: RunnerPorts) {
    this.#ports = ports;
  }

  async start(): Promise<void> {
    const { config, log } = this.#ports;
    for (const { resource: workspace } of await rowsAfter(config, 'workspaces', '')) {
      const rows = await rowsAfter(config, 'regulations', workspace.name);
      const left = rows.filter(({ resource }) => !isOver(resource)).map(({ resource }) => resource.name);
      if (left.length > 0) log.info({ workspace: workspace.name, regulations: left.length }, 'regulations go on');
      for (const name of left) this.add(name);
    }
  }

  /** Takes a regulation that has been stored. */
  add(name: string): void {
    if (this.#abort.signal.aborted) return;
    this.#waiting.push(name);
    this.#working ??= this.#work();
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    await this.#working;
  }

  /** Ends between two steps; what is left goes on at the next start. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#working;
  }

  async #work(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      const name = this.#waiting.shift();
      if (name === undefined) break;
      await this.#carryOut(name, signal);
    }
    this.#working = undefined;
  }

  async #carryOut(name: string, signal: AbortSignal): Promise<void> {
    const { log, clock } = this.#ports;
    while (!signal.aborted) {
      try {
        await run(this.#ports, name, signal);
        return log.info({ regulation: name }, signal.aborted ? 'regulation interrupted' : 'regulation carried out');
      } catch (error) {
        const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
        log.error({ regulation: name, reason }, 'a regulation could not be carried out, trying again');
        await clock.sleep(PAUSE_MS, signal);
      }
    }
  }
}
