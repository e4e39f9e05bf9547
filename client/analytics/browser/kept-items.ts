/** What is needed of the page's own storage. */
interface LocalStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Of a document that a page shows. Where it may not store anything, asking for it throws. */
declare const document: { readonly defaultView: { readonly localStorage: LocalStorage | null } | null } | null;

/**
 * Items of the localStorage of a site under one prefix, by what follows it. Nothing of it throws: a site goes on where it is
 * blocked, or full. Without a page there are none: a server that renders one may have a `localStorage` of its own, for all visitors.
 */
export class KeptItems {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  list(): readonly (readonly [name: string, value: string])[] {
    return (
      tried((storage) => {
        const found: [string, string][] = [];
        for (let index = 0; index < storage.length; index += 1) {
          const key = storage.key(index);
          if (key?.startsWith(this.#prefix)) found.push([key.slice(this.#prefix.length), storage.getItem(key) ?? '']);
        }
        return found;
      }) ?? []
    );
  }

  has(name: string): boolean {
    return tried((storage) => storage.getItem(this.#prefix + name) !== null) ?? false;
  }

  /** Whether it is kept. */
  set(name: string, value: string): boolean {
    return tried((storage) => storage.setItem(this.#prefix + name, value) ?? true) ?? false;
  }

  /** Whether it is kept under the other name now. What is gone, or has no room, is left as it is. */
  rename(name: string, next: string): boolean {
    return (
      tried((storage) => {
        const value = storage.getItem(this.#prefix + name);
        if (value === null) return false;
        storage.setItem(this.#prefix + next, value);
        storage.removeItem(this.#prefix + name);
        return true;
      }) ?? false
    );
  }

  remove(name: string): void {
    tried((storage) => storage.removeItem(this.#prefix + name));
  }
}

function tried<T>(use: (storage: LocalStorage) => T): T | undefined {
  try {
    const storage = typeof document === 'undefined' ? undefined : document?.defaultView?.localStorage;
    return storage ? use(storage) : undefined;
  } catch {
    return undefined;
  }
}
