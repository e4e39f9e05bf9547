import { deepFreeze } from '../model/json-values.ts';

/** So many characters are kept of each kind, and as many that were asked for before: a page of each of some thousand lists. */
const MOST = 16_000_000;

/**
 * Texts that are made of objects which never change, made once for each for as long as it is asked for. The owner of a frozen
 * object says that nothing in it changes; a later version is another object, so no text is ever stale.
 */
export class Kept {
  readonly #make: (value: object) => string;
  /** Of what was asked for lately, and of what was asked for before that: what is in neither is made again. */
  #young = new WeakMap<object, string>();
  #old = new WeakMap<object, string>();
  /** Of the young ones. */
  #length = 0;

  constructor(make: (value: object) => string) {
    this.#make = make;
  }

  of(value: object): string {
    const known = this.#young.get(value);
    if (known !== undefined) return known;
    const text = this.#old.get(value) ?? this.#make(value);
    if (Object.isFrozen(value)) this.#keep(value, text);
    return text;
  }

  /** The text, where it was made already. */
  known(value: object): string | undefined {
    return this.#young.get(value) ?? this.#old.get(value);
  }

  #keep(value: object, text: string): void {
    if (this.#length > MOST) [this.#old, this.#young, this.#length] = [this.#young, new WeakMap(), 0];
    this.#young.set(value, text);
    this.#length += text.length;
  }
}

/**
 * Shows each stored version once, for a kind of which nothing but what is stored is shown. What a store gives is frozen; what
 * is shown of it is frozen with it.
 */
export function shownOnce<Stored extends object, Wire>(show: (stored: Stored) => Wire): (stored: Stored) => Wire {
  const shown = new WeakMap<Stored, Wire>();
  return (stored) => {
    const known = shown.get(stored);
    if (known !== undefined) return known;
    if (!Object.isFrozen(stored)) return show(stored);
    const wire = deepFreeze(show(stored));
    shown.set(stored, wire);
    return wire;
  };
}
