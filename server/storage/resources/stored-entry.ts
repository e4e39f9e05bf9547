import { deepFreeze } from '../../model/json-values.ts';
import type { Entry } from '../config-store.ts';

export interface Named {
  readonly name: string;
}

/**
 * A row in memory: its JSON, and the resource that was made of it for as long as somebody has that. A router holds all rows and
 * looks at few. As objects they would be most of its memory, and each collection of garbage would go through all of them.
 */
class StoredEntry<R extends Named> implements Entry<R> {
  readonly sequence: number;
  readonly name: string;
  readonly text: string;
  #made: WeakRef<R> | undefined;

  constructor(sequence: number, name: string, text: string) {
    [this.sequence, this.name, this.text] = [sequence, name, text];
  }

  get resource(): R {
    const made = this.#made?.deref();
    if (made !== undefined) return made;
    const resource: R = JSON.parse(this.text);
    this.#made = new WeakRef(deepFreeze(resource));
    return resource;
  }
}

/** The resource is kept by way of its JSON: memory holds exactly what a file gives back, and nobody can change it. */
export function toEntry<R extends Named>(sequence: number, resource: R): Entry<R> {
  return new StoredEntry(sequence, resource.name, JSON.stringify(resource));
}
