type Listeners<Events> = { [Name in keyof Events]?: Set<(detail: Events[Name]) => unknown> };

/** Typed listeners, any number of them. What one throws goes to `onThrow`, and to nobody else. */
export class Emitter<Events> {
  readonly #listeners: Listeners<Events> = {};
  readonly #onThrow: (error: unknown) => void;

  constructor(onThrow: (error: unknown) => void) {
    this.#onThrow = onThrow;
  }

  /** Returns what takes the listener off again. */
  on<Name extends keyof Events>(name: Name, listener: (detail: Events[Name]) => unknown): () => void {
    const listeners = (this.#listeners[name] ??= new Set());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** The detail is made only when somebody listens. */
  emit<Name extends keyof Events>(name: Name, detailOf: () => Events[Name]): void {
    const listeners = this.#listeners[name];
    if (!listeners?.size) return;
    const detail = detailOf();
    for (const listener of Array.from(listeners)) safely(() => listener(detail), this.#onThrow);
  }
}

/**
 * Runs code of the user's: neither what it throws, nor a promise of it that rejects, gets further than `onThrow`, be the
 * promise of this realm or another, or of a library that replaced the class.
 */
export function safely(run: () => unknown, onThrow: (error: unknown) => void): void {
  new Promise((resolve) => {
    resolve(run());
  }).catch(onThrow);
}
