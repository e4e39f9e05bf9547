import { begun, effectsOf, erasedIds, isOver, isUntouched, scopeOf } from '../model/regulation.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { Regulation } from '../model/resources.ts';
import { allRows, type ConfigStore } from '../storage/config-store.ts';
import { Erasure, type ErasurePorts } from './erasure.ts';

export interface GroupPorts extends ErasurePorts {
  readonly config: Pick<ConfigStore, 'get' | 'list' | 'update'>;
}

/** As many users as one regulation may name at most are erased together, give or take one regulation. */
const ENOUGH_IDS = 5_000;
/** Each regulation that has begun holds the status of each source until it is over. */
const ENOUGH_SOURCES = 50_000;

/**
 * One walk through what is stored, for the regulations of a scope that wait as it begins: a walk takes as long for one user as
 * for thousands. Each step is bounded, and may be repeated.
 */
export class ErasureGroup {
  readonly #ports: GroupPorts;
  readonly #scope: string;
  /** Who may join, in this order: the first one always does. */
  readonly #candidates: string[];
  readonly #names: string[] = [];
  readonly #userIds = new Set<string>();
  #sources = 0;
  #erasure: Erasure | undefined;

  constructor(ports: GroupPorts, scope: string, candidates: readonly string[]) {
    this.#ports = ports;
    this.#scope = scope;
    this.#candidates = [...candidates];
  }

  /** Of those whose users are erased once nothing is left to do. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** How long others waited for the last step, where storage tells that. */
  get tookMs(): number | undefined {
    return this.#erasure?.tookMs;
  }

  /** Answers whether more is left. */
  async step(): Promise<boolean> {
    const hasRoom = this.#userIds.size < ENOUGH_IDS && this.#sources < ENOUGH_SOURCES;
    const candidate = hasRoom ? this.#candidates[0] : undefined;
    if (candidate !== undefined) {
      await this.#join(candidate);
      this.#candidates.shift();
      return true;
    }
    const keep = (userIds: readonly string[]): Promise<void> => this.#keep(userIds);
    this.#erasure ??= new Erasure(this.#ports, { scope: this.#scope, userIds: [...this.#userIds], keep });
    return this.#erasure.step();
  }

  async #join(name: string): Promise<void> {
    const { config } = this.#ports;
    const regulation = await config.get('regulations', name);
    if (regulation === undefined || isOver(regulation)) return;
    if (!effectsOf(regulation).deletes || scopeOf(regulation) !== this.#scope) return;
    const running = isUntouched(regulation) ? await beginning(this.#ports, regulation) : regulation;
    if (running === undefined) return;
    for (const id of erasedIds(running)) this.#userIds.add(id);
    this.#sources += running.source_status.length;
    this.#names.push(name);
  }

  /** By one that is there until all are erased; where another router has finished it meanwhile, it names nobody any more. */
  async #keep(userIds: readonly string[]): Promise<void> {
    const [name] = this.#names;
    if (name === undefined) return;
    await this.#ports.config.update('regulations', name, (one) =>
      isOver(one) ? one : { ...one, known_ids: [...new Set([...erasedIds(one), ...userIds])] },
    );
  }
}

/** From here on it cannot be cancelled. Undefined where that came first. */
export async function beginning(
  { config }: Pick<GroupPorts, 'config'>,
  { name }: Regulation,
): Promise<Regulation | undefined> {
  const rows = await allRows(config, 'sources', workspaceOf(name));
  const sources = rows.map((row) => row.name);
  return config.update('regulations', name, (one) => begun(one, sources));
}
