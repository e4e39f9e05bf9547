type Fields = Record<string, unknown>;
export type Stored = Fields & { readonly name: string };

/** An answer that is no success, as the router gives it. */
export class StubError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const CREATED = '2026-11-20T23:10:38.958Z';

/** A new resource of each kind, with all that the router would fill in. */
const MAKERS: Readonly<Record<string, (sent: Fields, parent: string, number: number) => Stored>> = {
  access_token: (sent, _parent, number) => ({
    workspace_names: [],
    ...sent,
    name: `access-tokens/${number}`,
    create_time: CREATED,
    token: `plaintext-of-token-${number}`,
  }),
  workspace: (sent, _parent, number) => ({ display_name: '', ...sent, ...identity(sent, number) }),
  source: (sent, parent, number) => ({
    display_name: '',
    catalog_name: '',
    labels: {},
    write_keys: [String(number).padStart(32, 'k')],
    ...sent,
    ...identity(sent, number),
    parent,
    library_config: { ...NO_LIBRARY_CONFIG, ...asFields(sent['library_config']) },
  }),
  destination: (sent, parent) => ({
    display_name: '',
    enabled: false,
    deliverable: true,
    connection_mode: 'UNSPECIFIED',
    ...sent,
    name: String(sent['name']),
    parent,
    config: asEntries(sent['config'] ?? []),
    create_time: CREATED,
    update_time: CREATED,
  }),
  tracking_plan: (sent, parent, number) => ({
    rules: {},
    ...sent,
    name: `${parent}/tracking-plans/rs_${String(number).padStart(27, '0')}`,
    create_time: CREATED,
    update_time: CREATED,
  }),
};

const NO_LIBRARY_CONFIG = { metrics_enabled: false, retry_queue: false, cross_domain_id_enabled: false, api_host: '' };

/** Resources in memory, under the rules of S 4.1, as far as a client can see them. */
export class ConfigStubStore {
  readonly #items = new Map<string, Stored>();
  #made = 0;

  create(key: string, sent: Fields, parent: string): Stored {
    this.#made += 1;
    const made = MAKERS[key]?.(sent, parent, this.#made);
    if (made === undefined) throw new StubError(501, 12, `no ${key} can be made`);
    if (this.#items.has(made.name)) throw new StubError(409, 6, `${made.name} already exists`);
    this.#items.set(made.name, made);
    return made;
  }

  get(name: string): Stored {
    const item = this.#items.get(name);
    if (item === undefined) throw new StubError(404, 5, `there is no ${name}`);
    return item;
  }

  list(collection: string): readonly Stored[] {
    const depth = collection.split('/').length + 1;
    return [...this.#items.values()].filter(
      ({ name }) => name.startsWith(`${collection}/`) && name.split('/').length === depth,
    );
  }

  update(name: string, sent: Fields, paths: readonly string[]): Stored {
    const changed = paths.reduce((item, path) => withPath(item, path.split('.').slice(1), sent), this.get(name));
    this.#items.set(name, changed);
    return changed;
  }

  delete(name: string, force: boolean): void {
    this.get(name);
    const below = [...this.#items.keys()].filter((other) => other.startsWith(`${name}/sources/`));
    if (/^workspaces\/[^/]+$/.test(name) && below.length > 0 && !force) {
      throw new StubError(400, 3, `${name} still has sources; add force=true to remove them, too`);
    }
    for (const other of [name, ...below]) this.#items.delete(other);
  }
}

function withPath<T extends Fields>(item: T, [field = '', ...rest]: readonly string[], sent: Fields): T {
  if (!Object.hasOwn(item, field) || field === 'name') throw new StubError(400, 3, `updates do not support ${field}`);
  if (rest.length > 0) return { ...item, [field]: withPath(asFields(item[field]), rest, asFields(sent[field])) };
  const value = sent[field] ?? emptyOf(item[field]);
  return { ...item, [field]: field === 'config' ? asEntries(value) : value };
}

function emptyOf(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  const empties: Record<string, unknown> = { string: '', boolean: false, number: 0, object: {} };
  return empties[typeof value];
}

function asEntries(config: unknown): unknown[] {
  const entries: unknown[] = Array.isArray(config) ? config : [];
  return entries.map((entry) => ({ display_name: '', type: 'string', value: '', ...asFields(entry) }));
}

function identity(sent: Fields, number: number) {
  return { name: String(sent['name']), id: String(number).padStart(10, '0'), create_time: CREATED };
}

export function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
