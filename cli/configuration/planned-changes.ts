import { isDeepStrictEqual } from 'node:util';
import { isConfigApiError } from '../../client/config/config-api-error.ts';
import { CommandFailed } from '../failure.ts';
import { cell } from '../table.ts';
import type { Api } from './api.ts';
import { fieldsOf } from './fields.ts';
import type { Changeable, Kind } from './kinds.ts';
import type { Fields } from './model.ts';

/** What is changed, as people read it and as the API names it, and as it was when that was planned. */
export interface Planned<K extends Changeable> {
  readonly kind: K;
  readonly name: string;
  readonly label: string;
  /** Undefined for what came to be after the plan was made. */
  readonly before: Fields | undefined;
}

/**
 * Changes what is still as it was when the change was planned. What somebody else changed meanwhile would be undone without a word:
 * between a plan and its end are the question to a person, and hours where a router has many changes to take.
 */
export class PlannedChanges {
  readonly #api: Api;
  /** What this run itself has changed, as it left it, by kind and name. */
  readonly #left = new Map<string, Fields>();

  constructor(api: Api) {
    this.#api = api;
  }

  async update(planned: Planned<Changeable>, fields: Fields): Promise<void> {
    const { kind, name } = planned;
    const after = await this.#where(planned, (tag) => this.#api.update(kind, name, fields, tag));
    this.#left.set(`${kind} ${name}`, fieldsOf(kind, after));
  }

  async remove(planned: Planned<Kind>): Promise<void> {
    await this.#where(planned, (tag) => this.#api.remove(planned.kind, planned.name, tag));
  }

  async #where<Answer>(planned: Planned<Changeable>, change: (tag?: string) => Promise<Answer>): Promise<Answer> {
    try {
      return await change(await this.#tagOf(planned));
    } catch (error) {
      // It was changed since its tag was read; or something else is in the way, as a key that is taken.
      if (isConfigApiError(error, 'AlreadyExists')) await this.#tagOf(planned);
      throw error;
    }
  }

  /** Throws when it is another state than that of the plan. */
  async #tagOf({ kind, name, label, before }: Planned<Changeable>): Promise<string | undefined> {
    const expected = this.#left.get(`${kind} ${name}`) ?? before;
    const { resource, tag } = await this.#api.state(kind, name);
    if (expected === undefined || isDeepStrictEqual(fieldsOf(kind, resource), expected)) return tag;
    throw new CommandFailed(
      `${cell(label)} was changed meanwhile, and was left as it is: start again to see how it differs now`,
    );
  }
}
