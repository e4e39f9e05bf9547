import { workspaceOf } from '../model/resource-names.ts';
import type { Clock } from '../ports/clock.ts';
import type { Routed } from './route.ts';

/** What was accepted of a source in a short time. */
export interface Moment {
  readonly count: number;
  /** The first of them, in order. */
  readonly events: readonly Routed[];
}

/** Who watches a source. What it does must not fail. */
export interface Watcher {
  /** Whose place it takes: each holder has a limited number of them. */
  readonly holder: string;
  hear(moment: Moment): void;
  /** Called every BEAT_MS. */
  beat(): Promise<void>;
  /** The router stops. */
  stop(): void;
}

export const MAX_WATCHERS = 100;
/** However many tokens it makes: there is room for others. */
export const MAX_OF_WORKSPACE = 60;
export const MAX_OF_HOLDER = 20;
/** Far more events come than a person can read: what is written in a second is bounded, however many come and watch. */
const MOMENT_MS = 500;
const MAX_EVENTS = 25;
const BEAT_MS = 15_000;

interface Ports {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Aborts when the router stops. */
  readonly stopping: AbortSignal;
}

/** Events for those who watch while they are accepted; `source` is a full resource name. */
export class LiveEvents {
  readonly #ports: Ports;
  readonly #sources = new Map<string, Watched>();
  /** With what each watches. */
  readonly #watchers = new Map<Watcher, string>();
  #beats: AbortController | undefined;

  constructor(ports: Ports) {
    this.#ports = ports;
    ports.stopping.addEventListener('abort', () => {
      this.#beats?.abort();
      for (const watcher of this.#watchers.keys()) watcher.stop();
    });
  }

  /** Costs nothing while nobody watches. `isNew` says for each whether it was accepted. */
  tell(routed: readonly Routed[], isNew: readonly boolean[]): void {
    if (this.#watchers.size === 0) return;
    for (const [index, one] of routed.entries()) {
      const isFirst = isNew[index] === true && this.#sources.get(one.source)?.add(one) === true;
      if (isFirst) void this.#endMoment(one.source);
    }
  }

  /** Answers how to stop watching; undefined when no more may watch. */
  watch(source: string, watcher: Watcher): (() => void) | undefined {
    if (!this.#hasRoom(source, watcher) || this.#ports.stopping.aborted) return undefined;
    const watched = this.#sources.get(source) ?? new Watched();
    this.#sources.set(source, watched.with(watcher));
    this.#watchers.set(watcher, source);
    if (this.#beats === undefined) void this.#beat((this.#beats = new AbortController()).signal);
    return () => this.#leave(source, watcher);
  }

  #hasRoom(source: string, { holder }: Watcher): boolean {
    const workspace = workspaceOf(source);
    let [ofHolder, ofWorkspace] = [0, 0];
    for (const [other, watched] of this.#watchers) {
      if (other.holder === holder) ofHolder += 1;
      if (workspaceOf(watched) === workspace) ofWorkspace += 1;
    }
    return this.#watchers.size < MAX_WATCHERS && ofHolder < MAX_OF_HOLDER && ofWorkspace < MAX_OF_WORKSPACE;
  }

  #leave(source: string, watcher: Watcher): void {
    this.#watchers.delete(watcher);
    if (this.#sources.get(source)?.without(watcher) === true) this.#sources.delete(source);
    if (this.#watchers.size > 0) return;
    this.#beats?.abort();
    this.#beats = undefined;
  }

  async #endMoment(source: string): Promise<void> {
    const { clock, stopping } = this.#ports;
    await clock.sleep(MOMENT_MS, stopping);
    this.#sources.get(source)?.endMoment();
  }

  async #beat(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#ports.clock.sleep(BEAT_MS, signal);
      if (signal.aborted) return;
      for (const watcher of this.#watchers.keys()) void watcher.beat();
    }
  }
}

/** A source with its watchers, and the moment that goes on. */
class Watched {
  readonly #watchers = new Set<Watcher>();
  #count = 0;
  #events: Routed[] = [];

  with(watcher: Watcher): this {
    this.#watchers.add(watcher);
    return this;
  }

  /** Whether nobody watches any more. */
  without(watcher: Watcher): boolean {
    this.#watchers.delete(watcher);
    return this.#watchers.size === 0;
  }

  /** Whether the moment begins with it. */
  add(routed: Routed): boolean {
    this.#count += 1;
    if (this.#events.length < MAX_EVENTS) this.#events.push(routed);
    return this.#count === 1;
  }

  endMoment(): void {
    const moment = { count: this.#count, events: this.#events };
    this.#count = 0;
    this.#events = [];
    if (moment.count > 0) for (const watcher of this.#watchers) watcher.hear(moment);
  }
}
