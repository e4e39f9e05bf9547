import { listOf } from '../../contract/config-fields.ts';
import type { Fields, Kind } from '../../contract/config-kinds.ts';
import { type Caller, ConfigModel } from '../../contract/config-model.ts';
import { Identifiers } from './identifiers.ts';

export interface StateOptions {
  readonly token: string;
  readonly workspace: string;
  readonly seed: number;
  readonly now: () => number;
}

/** The model, and what a router adds to resources by itself: ids, keys and times. */
export class State {
  readonly model = new ConfigModel();
  readonly identifiers: Identifiers;
  /** The holder of the first token, who may do anything. */
  readonly first: Caller;
  readonly #now: () => number;

  constructor({ token, workspace, seed, now }: StateOptions) {
    this.identifiers = new Identifiers(seed);
    this.#now = now;
    this.first = { name: `access-tokens/${this.identifiers.slug('access-tokens')}`, plaintext: token };
    const fields = { description: 'the first token', scopes: 'workspace', workspace_names: [] };
    this.model.start(this.first, { ...fields, create_time: this.#seconds() }, `workspaces/${workspace}`, {
      id: this.identifiers.id(),
      create_time: this.#milliseconds(),
    });
  }

  /** What a new resource gets beside what was sent. */
  stampOf(kind: Kind, parent: string, sent: Fields): Fields {
    const [seconds, milliseconds] = [this.#seconds(), this.#milliseconds()];
    const keys = listOf(sent['write_keys']);
    switch (kind) {
      case 'access-tokens':
        return { create_time: seconds };
      case 'workspaces':
        return { id: this.identifiers.id(), create_time: milliseconds };
      case 'sources':
        return {
          parent,
          id: this.identifiers.id(),
          write_keys: keys.length === 0 ? [this.identifiers.writeKey()] : keys,
          create_time: milliseconds,
        };
      case 'destinations':
        return { parent, create_time: milliseconds, update_time: milliseconds };
      case 'tracking-plans':
        return { create_time: seconds, update_time: seconds };
    }
  }

  /** What a change sets beside what it names. */
  updateStampOf(kind: Kind): Fields {
    if (kind === 'destinations') return { update_time: this.#milliseconds() };
    return kind === 'tracking-plans' ? { update_time: this.#seconds() } : {};
  }

  /** The rotation of a secret that begins now. */
  rotation(previous_secret: string, seconds: number): Fields {
    const end_time = new Date(this.#now() + seconds * 1000).toISOString();
    return { previous_secret, start_time: this.#milliseconds(), end_time };
  }

  /** To be called before each request: what has ended is gone. */
  endRotations(): void {
    this.model.endRotations(this.#milliseconds());
  }

  #milliseconds(): string {
    return new Date(this.#now()).toISOString();
  }

  #seconds(): string {
    return this.#milliseconds().replace(/\.\d+Z$/, 'Z');
  }
}
