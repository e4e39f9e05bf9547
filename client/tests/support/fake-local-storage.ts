/** The localStorage of a site, which all of its pages share. */
export class FakeLocalStorage {
  readonly items = new Map<string, string>();
  /** Of all keys and values; what has no room throws, as in browsers. */
  quota = Infinity;
  writes = 0;

  get length(): number {
    return this.items.size;
  }

  key(index: number): string | null {
    return [...this.items.keys()][index] ?? null;
  }

  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    const used = [...this.items].reduce((sum, [other, { length }]) => sum + other.length + length, 0);
    if (used + key.length + value.length > this.quota) throw new DOMException('full', 'QuotaExceededError');
    this.writes += 1;
    this.items.set(key, value);
  }

  removeItem(key: string): void {
    this.items.delete(key);
  }
}
