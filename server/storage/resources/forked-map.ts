/**
 * A map whose copies cost what was changed since, and not what it holds: a change of one row looks at a copy of all, and the rows of a
 * workspace may be hundreds of thousands.
 */
export class ForkedMap<Value extends object | number> {
  #base = new Map<string, Value>();
  /** Whether others have the same base: then it is not changed any more. */
  #isShared = false;
  /** What is otherwise than in the base; undefined what is gone. */
  #changed = new Map<string, Value | undefined>();

  /** From here on, each changes apart from the other. */
  fork(): ForkedMap<Value> {
    const fork = new ForkedMap<Value>();
    fork.#base = this.#base;
    fork.#isShared = this.#isShared = true;
    fork.#changed = new Map(this.#changed);
    return fork;
  }

  get(key: string): Value | undefined {
    return this.#changed.get(key) ?? (this.#changed.has(key) ? undefined : this.#base.get(key));
  }

  *values(): Generator<Value> {
    for (const [key, value] of this.#base) if (!this.#changed.has(key)) yield value;
    for (const value of this.#changed.values()) if (value !== undefined) yield value;
  }

  /** Undefined removes. */
  set(key: string, value: Value | undefined): void {
    if (this.#isShared) {
      this.#changed.set(key, value);
      // Copying the changes with each fork, and the base after so many of them, costs the least together.
      if (this.#changed.size ** 2 > this.#base.size) this.#rebase();
    } else if (value === undefined) this.#base.delete(key);
    else this.#base.set(key, value);
  }

  #rebase(): void {
    const [base, changed] = [new Map(this.#base), this.#changed];
    [this.#base, this.#changed, this.#isShared] = [base, new Map(), false];
    for (const [key, value] of changed) this.set(key, value);
  }
}
