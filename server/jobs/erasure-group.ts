import { begun, effectsOf, isOver, isUntouched, scopeOf } from '../model/regulation.ts';
import { type Regulation, workspaceOf } from '../model/resources.ts';
import { allRows, type ConfigStore } from '../storage/config-store.ts';
import { allIdsOf, Erasure, type ErasurePorts } from './erasure.ts';

export interface GroupPorts extends ErasurePorts {
  readonly config: Pick<ConfigStore, 'get' | 'list' | 'update'>;
}

/** As many users as one regulation may name at most are erased together, give or take one regulation. */
const ENOUGH_IDS = 5_000;

/**
 * One walk through what is stored, for a regulation and all others of its scope that wait as it begins: a walk takes as long for
 * one user as for thousands. Each step is bounded.
 */
export class ErasureGroup {
  readonly #ports: GroupPorts;
  readonly #scope: string;
  readonly #userIds: Set<string>;
  readonly #names: string[];
  readonly #candidates: string[];
  #erasure: Erasure | undefined;

  /** The ids of the first one's users are looked up already. */
  constructor(ports: GroupPorts, first: Regulation, others: readonly string[]) {
    this.#ports = ports;
    this.#scope = scopeOf(first);
    this.#userIds = new Set(first.known_ids);
    this.#names = [first.name];
    this.#candidates = others.filter((name) => name !== first.name);
  }

  /** Of those whose users are erased once nothing is left to do. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Answers whether more is left. */
  async step(): Promise<boolean> {
    const candidate = this.#userIds.size < ENOUGH_IDS ? this.#candidates.shift() : undefined;
    if (candidate !== undefined) {
      await this.#join(candidate);
      return true;
    }
    this.#erasure ??= new Erasure(this.#ports, this.#scope, [...this.#userIds]);
    return this.#erasure.step();
  }

  async #join(name: string): Promise<void> {
    const { config } = this.#ports;
    const regulation = await config.get('regulations', name);
    if (regulation === undefined || isOver(regulation)) return;
    if (!effectsOf(regulation).deletes || scopeOf(regulation) !== this.#scope) return;
    const running = isUntouched(regulation) ? await beginning(this.#ports, regulation) : regulation;
    const ready = await lookedUp(this.#ports, running);
    for (const id of ready?.known_ids ?? []) this.#userIds.add(id);
    if (ready !== undefined) this.#names.push(name);
  }
}

/** From here on it cannot be cancelled. Undefined where that came first. */
export async function beginning(
  { config }: Pick<GroupPorts, 'config'>,
  { name }: Regulation,
): Promise<Regulation | undefined> {
  const rows = await allRows(config, 'sources', workspaceOf(name));
  const sources = rows.map(({ resource }) => resource.name);
  return config.update('regulations', name, (one) => begun(one, sources));
}

/** What else the users are known under is lost with their profiles, and needed until the end. */
export async function lookedUp(ports: GroupPorts, regulation: Regulation | undefined): Promise<Regulation | undefined> {
  if (regulation === undefined || regulation.known_ids !== undefined) return regulation;
  const known_ids = await allIdsOf(ports, scopeOf(regulation), regulation.user_ids);
  return ports.config.update('regulations', regulation.name, (one) => ({ ...one, known_ids }));
}
