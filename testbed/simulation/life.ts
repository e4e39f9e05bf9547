import type { Clock } from '../../server/ports/clock.ts';
import type { VirtualClock } from './virtual-clock.ts';

/**
 * One process in a virtual world. Once it has ended, as by SIGKILL, nothing that it had under way goes on: what it asked of
 * its ports is never answered. Its steady time begins with the wall's, as that of every process.
 */
export class Life {
  readonly clock: Clock;
  #isOver = false;
  /** Set while it is stopped, as by SIGSTOP. */
  #pause: PromiseWithResolvers<void> | undefined;

  /** `aheadMs`: how far its wall is ahead of the world's. */
  constructor(clock: VirtualClock, aheadMs = 0) {
    const [wall, steady] = [clock.now() + aheadMs, clock.steady()];
    this.clock = {
      now: () => clock.now() + aheadMs,
      steady: () => wall + clock.steady() - steady,
      sleep: (ms, signal) => this.#whileAlive(clock.sleep(ms, signal)),
    };
  }

  end(): void {
    this.#isOver = true;
  }

  /** Time goes on, and answers come; it sees neither until it is resumed. */
  pause(): void {
    this.#pause ??= Promise.withResolvers();
  }

  get isPaused(): boolean {
    return this.#pause !== undefined;
  }

  resume(): void {
    this.#pause?.resolve();
    this.#pause = undefined;
  }

  /** A port as this process sees it. All its methods answer promises. */
  bind<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]): unknown => {
          if (this.#isOver) return new Promise(() => undefined);
          return this.#whileAlive(Promise.resolve(Reflect.apply(value, target, args)));
        };
      },
    });
  }

  #whileAlive<Answer>(promise: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      promise.then(
        (answer) => this.#when(() => resolve(answer)),
        (error: unknown) => this.#when(() => reject(error)),
      );
    });
  }

  /** Once it runs; never when it has ended. */
  #when(go: () => void): void {
    if (this.#pause !== undefined) void this.#pause.promise.then(() => this.#when(go));
    else if (!this.#isOver) go();
  }
}
