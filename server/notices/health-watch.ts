import type { Directory } from '../directory/directory.ts';
import { eachAlone } from '../fairness/each-alone.ts';
import type { RoundWatcher } from '../delivery/recorder.ts';
import type { RoundRecord } from '../model/delivery.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { Health } from '../model/resources.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import { failed, withHealth, worked } from './health.ts';

/** What turns more often is told as it stands then. */
const LOOK_MS = 10_000;
/** Between two writes: each is a version of its workspace, by which what is being routed is looked at again. */
const BETWEEN_WRITES_MS = 100;

export interface HealthPorts {
  readonly config: Pick<ConfigStore, 'watch' | 'update'>;
  readonly clock: Clock;
  readonly log: Log;
}

type Change = (health: Health | undefined, at: string) => Health | undefined;

/** What is asked once it is there. */
export interface Watched {
  readonly directory: Pick<Directory, 'noticed'>;
  /** Full names of the destinations whose queues this router owns, and that are parked. */
  readonly parked: () => readonly string[];
}

/**
 * Keeps in storage how destinations fare, for notices (D-82): each router tells of the queues that it owns, so that all know
 * the same, whoever of them ends. Delivery waits for none of it.
 */
export class HealthWatch implements RoundWatcher {
  readonly #ports: HealthPorts;
  /** Destinations that fail, and did not work since. */
  readonly #failing = new Set<string>();
  /** Of these, the ones that worked since. */
  readonly #worked = new Set<string>();
  readonly #stopping = new AbortController();

  constructor(ports: HealthPorts) {
    this.#ports = ports;
  }

  /** A round has ended. An answer for good says as much as a success: somebody is there. */
  ended({ destination, verdict: { state } }: Pick<RoundRecord, 'destination' | 'verdict'>): void {
    if ((state === 'delivered' || state === 'failed') && this.#failing.has(destination)) this.#worked.add(destination);
  }

  /** Answers how to stop it. */
  async start(watched: Watched): Promise<() => Promise<void>> {
    const unwatch = await this.#ports.config.watch(
      ({ changes }) => {
        for (const { name, row } of changes) this.#know(name, row?.resource.health);
      },
      ['destinations'],
    );
    const looks = this.#look(watched);
    return () => {
      unwatch();
      this.#stopping.abort();
      return looks;
    };
  }

  #know(destination: string, health: Health | undefined): void {
    if (health?.state === 'failing' && health.works_since === undefined) this.#failing.add(destination);
    else this.#forget(destination);
  }

  #forget(destination: string): void {
    this.#failing.delete(destination);
    this.#worked.delete(destination);
  }

  async #look(watched: Watched): Promise<void> {
    const { clock, log } = this.#ports;
    const { signal } = this.#stopping;
    let isFailing = false;
    for (;;) {
      await clock.sleep(LOOK_MS, signal);
      if (signal.aborted) return;
      try {
        await this.#keep(watched);
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ reason: String(error) }, 'how destinations fare could not be stored, retrying');
        isFailing = true;
      }
    }
  }

  async #keep(watched: Watched): Promise<void> {
    await eachAlone(this.#changes(watched), async ([name, change]) => {
      if (!(await this.#update(name, change))) this.#forget(name);
    });
  }

  *#changes({ directory, parked }: Watched): Generator<readonly [destination: string, Change]> {
    // One that has worked and is parked again by now has its calm measured anew.
    for (const name of this.#worked) yield [name, worked];
    for (const name of parked()) {
      const known = directory.noticed(workspaceOf(name))?.destination(name);
      if (known !== undefined && failed(known.health, '') !== known.health) yield [name, failed];
    }
  }

  /** Answers whether there is such a destination. */
  async #update(name: string, change: Change): Promise<boolean> {
    const { config, clock } = this.#ports;
    const { signal } = this.#stopping;
    if (signal.aborted) return true;
    const at = new Date(clock.now()).toISOString();
    const kept = await config.update('destinations', name, (one) => withHealth(one, change(one.health, at)));
    await clock.sleep(BETWEEN_WRITES_MS, signal);
    return kept !== undefined;
  }
}
