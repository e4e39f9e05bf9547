/** Browsers do not follow work over its waits: of two changes at the same moment both have the author of the later one. */
export class AsyncLocalStorage<Store> {
  #store: Store | undefined;

  run<Value>(store: Store, work: (argument: unknown) => Value, argument: unknown): Value {
    this.#store = store;
    return work(argument);
  }

  getStore(): Store | undefined {
    return this.#store;
  }
}
