import {
  defaultConfig,
  type Fields,
  isGenerated,
  type Kind,
  kindOf,
  lastOf,
  parentOf,
  rulesOf,
} from './model-kinds.ts';

/** What the rules say that a request leads to. */
export interface Expected {
  readonly status: number;
  /** Of the resource that is answered. */
  readonly fields?: Fields;
  /** Of a list, over all its pages. */
  readonly names?: readonly string[];
  /** What the model does once the answer was as expected; a create gives it the name that was answered. */
  readonly commit?: (name: string, plaintext: string) => void;
}

export interface Caller {
  readonly name: string;
  readonly plaintext: string;
}

/** The rules of the Config API over a plain map: no files, no turns, no schemas. */
export class ConfigModel {
  /** In order of creation. */
  readonly #resources = new Map<string, Fields>();
  /** Every token that was ever issued: one that was deleted is refused. */
  readonly callers: Caller[] = [];
  /** Every generated name, so that histories can speak of what is gone. */
  readonly generated: string[] = [];

  /** What a first start makes. */
  start(first: Caller, token: Fields): void {
    const { description, scopes, workspace_names } = token;
    this.#resources.set(first.name, { description, scopes, workspace_names });
    this.#resources.set('workspaces/main', { display_name: 'main' });
    this.callers.push(first);
    this.generated.push(first.name);
  }

  create(caller: Caller, kind: Kind, parent: string, slug: string, sent: Fields): Expected {
    const refused = this.#refusal(caller, true) ?? this.#refusedCreate(caller, kind, parent, slug, sent);
    if (refused !== undefined) return { status: refused };
    const defaults = rulesOf(kind).defaults(slug);
    const fields = { ...defaults, ...sent, ...configOf(defaultConfig(slug), sent), ...libraryOf(defaults, sent) };
    return {
      status: 200,
      fields,
      commit: (name, plaintext) => {
        this.#resources.set(name, fields);
        if (isGenerated(kind)) this.generated.push(name);
        if (kind === 'access-tokens') this.callers.push({ name, plaintext });
      },
    };
  }

  update(caller: Caller, name: string, sent: Fields, paths: readonly string[]): Expected {
    const { empties } = rulesOf(kindOf(name));
    const refused = this.#refusal(caller, true);
    if (refused !== undefined) return { status: refused };
    if (paths.some((path) => !Object.hasOwn(empties, path))) return { status: 400 };
    const current = this.#visible(caller, name);
    if (current === undefined) return { status: 404 };
    const fields = paths.reduce((changed, path) => withPath(changed, path, sent, empties, lastOf(name)), current);
    if (isUnusable(name, fields)) return { status: 400 };
    return { status: 200, fields, commit: () => void this.#resources.set(name, fields) };
  }

  remove(caller: Caller, name: string, force: boolean): Expected {
    const refused = this.#refusal(caller, true);
    if (refused !== undefined) return { status: refused };
    if (this.#visible(caller, name) === undefined) return { status: 404 };
    if (kindOf(name) === 'workspaces' && !force && this.#below(name, 'sources').length > 0) return { status: 400 };
    if (this.#isMaster(name) && this.#below('', 'access-tokens').filter((one) => this.#isMaster(one)).length === 1)
      return { status: 400 };
    return {
      status: 200,
      commit: () => {
        for (const other of this.#resources.keys())
          if (other === name || other.startsWith(`${name}/`)) this.#resources.delete(other);
      },
    };
  }

  get(caller: Caller, name: string): Expected {
    const refused = this.#refusal(caller, false);
    if (refused !== undefined) return { status: refused };
    const fields = this.#visible(caller, name);
    return fields === undefined ? { status: 404 } : { status: 200, fields };
  }

  list(caller: Caller, parent: string, kind: Kind): Expected {
    const refused = this.#refusal(caller, false);
    if (refused !== undefined) return { status: refused };
    if (parent !== '' && this.#visible(caller, parent) === undefined) return { status: 404 };
    return {
      status: 200,
      names: this.#below(parent, kind).filter((name) => this.#visible(caller, name) !== undefined),
    };
  }

  /** 401 and 403 come before anything else (D-5). */
  #refusal(caller: Caller, writes: boolean): number | undefined {
    const token = this.#resources.get(caller.name);
    if (token === undefined) return 401;
    return writes && token['scopes'] !== 'workspace' ? 403 : undefined;
  }

  #refusedCreate(caller: Caller, kind: Kind, parent: string, slug: string, sent: Fields): number | undefined {
    const name = `${parent === '' ? '' : `${parent}/`}${kind}/${slug}`;
    const reach = this.#reach(caller);
    if (isUnusable(name, sent)) return 400;
    if (kind === 'workspaces' && reach.length > 0) return 403;
    if (kind === 'access-tokens') return this.#refusedToken(caller, listOf(sent['workspace_names']));
    if (parent !== '' && this.#visible(caller, parent) === undefined) return 404;
    return this.#resources.has(name) ? 409 : undefined;
  }

  /** D-8: a token hands out no more than it has. */
  #refusedToken(caller: Caller, wanted: readonly string[]): number | undefined {
    if (wanted.length === 0) return this.#reach(caller).length > 0 ? 403 : undefined;
    return wanted.every((name) => this.#visible(caller, name) !== undefined) ? undefined : 400;
  }

  /** The resource if it is there, and the caller may know it. */
  #visible(caller: Caller, name: string): Fields | undefined {
    const reach = this.#reach(caller);
    const fields = this.#resources.get(name);
    if (reach.length === 0 || fields === undefined) return fields;
    if (kindOf(name) !== 'access-tokens')
      return reach.includes(name.split('/').slice(0, 2).join('/')) ? fields : undefined;
    const others = listOf(fields['workspace_names']);
    return others.length > 0 && others.every((other) => reach.includes(other)) ? fields : undefined;
  }

  /** The workspaces that a token is bound to; none means all of them. */
  #reach(caller: Caller): readonly string[] {
    return listOf(this.#resources.get(caller.name)?.['workspace_names']);
  }

  #isMaster(name: string): boolean {
    if (kindOf(name) !== 'access-tokens') return false;
    const token = this.#resources.get(name);
    return token?.['scopes'] === 'workspace' && listOf(token['workspace_names']).length === 0;
  }

  #below(parent: string, kind: Kind): string[] {
    return [...this.#resources.keys()].filter((name) => parentOf(name) === parent && kindOf(name) === kind);
  }
}

/** HOOK-1: a webhooks destination that is switched on has a webhook. */
function isUnusable(name: string, { enabled, config }: Fields): boolean {
  if (kindOf(name) !== 'destinations' || lastOf(name) !== 'webhooks' || enabled !== true) return false;
  const { hooks, globalHook }: Fields = Object(config);
  return listOf(hooks).length === 0 && (globalHook ?? '') === '';
}

function withPath(fields: Fields, path: string, sent: Fields, empties: Fields, slug: string): Fields {
  if (path === 'config') return { ...fields, ...configUpdate(fields, sent, slug) };
  const [field = '', inner] = path.split('.');
  const value: unknown = inner === undefined ? sent[field] : Reflect.get(Object(sent[field]), inner);
  if (inner !== undefined) return { ...fields, [field]: { ...Object(fields[field]), [inner]: value ?? empties[path] } };
  if (field === 'library_config') return { ...fields, [field]: { ...Object(empties[field]), ...Object(value) } };
  return { ...fields, [field]: value ?? empties[path] };
}

/** D-11: entries are merged by name; listed without any, the config is as it was before anything was set. */
function configUpdate(fields: Fields, sent: Fields, slug: string): Fields {
  const entries = Object.entries(Object(sent['config']));
  if (entries.length === 0) return { config: defaultConfig(slug) };
  return configOf(Object(fields['config']), sent);
}

/** All four of its fields, whichever were sent. */
function libraryOf({ library_config: before }: Fields, { library_config: sent }: Fields): Fields {
  return sent === undefined ? {} : { library_config: { ...Object(before), ...Object(sent) } };
}

function configOf(before: Fields, { config }: Fields): Fields {
  return config === undefined ? {} : { config: { ...before, ...Object(config) } };
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : [];
}
