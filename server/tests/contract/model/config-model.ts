import { configOf, libraryOf, listOf, withPath } from './config-fields.ts';
import { type Fields, isGenerated, type Kind, kindOf, lastOf, parentOf, rulesOf } from './config-kinds.ts';
import { type Expected, invalid, nameKept, notFound, type Refused, refusedReach, unusable } from './config-expected.ts';
import { redacted } from './config-redaction.ts';
import { signingIn } from './config-secrets.ts';
import { destinationKind, faultOfCatalogName, impliedBy } from './config-destinations.ts';
import { defaultConfig, faultOfNames, faultOfSent, settled } from './config-settings.ts';

export interface Caller {
  readonly name: string;
  readonly plaintext: string;
}

/** What a create or an update is given beside the fields of the caller: ids and times that the router adds by itself. */
type Stamp = Fields;

const KEY_TAKEN: Refused = {
  status: 409,
  error:
    'a source with this write key already exists, or did in another workspace: remove it there first, and use a token that sees both',
};

/** The rules of the Config API over a plain map: no files, no turns, no schemas. */
export class ConfigModel {
  /** In order of creation. */
  readonly #resources = new Map<string, Fields>();
  /** Every token that was ever issued: one that was deleted is refused. */
  readonly callers: Caller[] = [];
  /** Workspaces that were removed; no history lasts until their names are free. */
  readonly #removed = new Set<string>();
  /** Which workspaces had a write key before. */
  readonly #had = new Map<string, Set<string>>();
  /** Every generated name, so that histories can speak of what is gone. */
  readonly generated: string[] = [];

  /** What a first start makes. */
  start(first: Caller, token: Fields, workspace = 'workspaces/main', fields: Fields = {}): void {
    this.#resources.set(first.name, token);
    this.#resources.set(workspace, { display_name: lastOf(workspace), ...fields });
    this.callers.push(first);
    this.generated.push(first.name);
  }

  create(caller: Caller, kind: Kind, parent: string, slug: string, wanted: Fields, stamp: Stamp = {}): Expected {
    const refused = this.refusal(caller, true) ?? this.#refusedCreate(caller, kind, parent, slug, wanted);
    if (refused !== undefined) return refused;
    const sent = kind === 'destinations' ? asNew(slug, wanted) : wanted;
    const defaults = rulesOf(kind).defaults(slug, sent);
    const given = {
      ...defaults,
      ...withoutNoKeys(sent),
      ...configOf(defaultConfig(destinationKind(slug, sent)), sent),
      ...libraryOf(defaults, sent),
    };
    const fields = { ...given, ...stamp };
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

  update(caller: Caller, name: string, wanted: Fields, paths: readonly string[], stamp: Stamp = {}): Expected {
    const { empties, key } = rulesOf(kindOf(name));
    const refused = this.refusal(caller, true);
    if (refused !== undefined) return refused;
    const unknown = paths.find((path) => !Object.hasOwn(empties, path));
    const choices = Object.keys(empties).map((path) => `${key}.${path}`);
    if (unknown !== undefined)
      return invalid(`update_mask.paths: updates do not support "${unknown}", only ${choices.join(', ')}`);
    const keys = paths.includes('write_keys') ? listOf(wanted['write_keys']) : undefined;
    const keyFault = keys === undefined ? undefined : faultOfNewKeys(keys);
    if (keyFault !== undefined) return invalid(keyFault);
    const sentFault = paths.includes('config') ? faultOfSent(Object(wanted['config'])) : undefined;
    if (sentFault !== undefined) return invalid(sentFault);
    const current = this.#visible(caller, name);
    if (current === undefined) return notFound(name);
    const own = listOf(current['write_keys']);
    if (this.#isKeyTaken(caller, keys?.filter((one) => !own.includes(one)) ?? [], name)) return KEY_TAKEN;
    const kind = destinationKind(name, current);
    const namesFault = paths.includes('config') ? faultOfNames(Object(wanted['config']), kind) : undefined;
    if (namesFault !== undefined) return invalid(namesFault);
    const sent = kindOf(name) === 'destinations' ? asDestination(kind, wanted) : wanted;
    const changed = paths.reduce((before, path) => withPath(before, path, sent, empties, kind), current);
    const fault = unusable(name, changed);
    if (fault !== undefined) return invalid(fault);
    if (current['rotation'] !== undefined && signingIn(changed).secret !== signingIn(current).secret)
      return invalid(`the secret of ${name} is being rotated`);
    const fields = paths.length === 0 ? current : { ...changed, ...stamp };
    const commit = (): void => {
      this.#giveUp(name, listOf(fields['write_keys']));
      this.#resources.set(name, fields);
    };
    return { status: 200, fields, commit };
  }

  /** A method of its own: `edit` answers the fields as they are then, or what is wrong. The same fields are no change. */
  change(caller: Caller, name: string, edit: (current: Fields) => Fields | string, stamp: Stamp): Expected {
    const refused = this.refusal(caller, true);
    if (refused !== undefined) return refused;
    const current = this.#visible(caller, name);
    if (current === undefined) return notFound(name);
    const changed = edit(current);
    if (typeof changed === 'string') return invalid(changed);
    const fault = unusable(name, changed);
    if (fault !== undefined) return invalid(fault);
    const fields = changed === current ? current : { ...changed, ...stamp };
    return { status: 200, fields, commit: () => void this.#resources.set(name, fields) };
  }

  /** Rotations of secrets end by the clock alone. */
  endRotations(now: string): void {
    for (const [name, { rotation, ...fields }] of this.#resources)
      if (rotation !== undefined && String(Object(rotation).end_time) <= now) this.#resources.set(name, fields);
  }

  remove(caller: Caller, name: string, force: boolean): Expected {
    const refused = this.refusal(caller, true);
    if (refused !== undefined) return refused;
    if (this.#visible(caller, name) === undefined) return notFound(name);
    if (kindOf(name) === 'workspaces' && !force && this.#below(name, 'sources').length > 0)
      return invalid(`${name} still has sources: remove them first, or use ?force=true`);
    if (this.#isMaster(name) && this.#below('', 'access-tokens').filter((one) => this.#isMaster(one)).length === 1)
      return invalid(`${name} is the last of its kind and stays`);
    return {
      status: 200,
      commit: () => {
        for (const other of this.#resources.keys()) {
          if (other !== name && !other.startsWith(`${name}/`)) continue;
          this.#giveUp(other);
          this.#resources.delete(other);
        }
        if (kindOf(name) !== 'workspaces') return;
        this.#unbindTokens(name);
        this.#removed.add(name);
      },
    };
  }

  get(caller: Caller, name: string): Expected {
    const refused = this.refusal(caller, false);
    if (refused !== undefined) return refused;
    const fields = this.#visible(caller, name);
    if (fields === undefined) return notFound(name);
    return { status: 200, fields: this.reads(caller) ? redacted(name, fields) : fields };
  }

  /** Whether the caller may see no secrets (D-15). */
  reads({ name }: Caller): boolean {
    return this.#resources.get(name)?.['scopes'] !== 'workspace';
  }

  list(caller: Caller, parent: string, kind: Kind): Expected {
    const refused = this.refusal(caller, false);
    if (refused !== undefined) return refused;
    if (parent !== '' && this.#visible(caller, parent) === undefined) return notFound(parent);
    return {
      status: 200,
      names: this.#below(parent, kind).filter((name) => this.#visible(caller, name) !== undefined),
    };
  }

  /** 401 and 403 come before anything else (D-5). */
  refusal(caller: Caller, writes: boolean): Refused | undefined {
    const token = this.#resources.get(caller.name);
    if (token === undefined) return { status: 401, error: 'the access token is not valid' };
    if (!writes || token['scopes'] === 'workspace') return undefined;
    return { status: 403, error: 'insufficient scope: this needs a token with the scope "workspace"' };
  }

  #refusedCreate(caller: Caller, kind: Kind, parent: string, slug: string, sent: Fields): Refused | undefined {
    const name = `${parent === '' ? '' : `${parent}/`}${kind}/${slug}`;
    const keyFault = faultOfKeys(listOf(sent['write_keys']));
    const fault =
      keyFault ?? faultOfSent(Object(sent['config'])) ?? (kind === 'destinations' ? faultOfNew(name, sent) : undefined);
    if (fault !== undefined) return invalid(fault);
    if (kind === 'workspaces' && this.#reach(caller).length > 0)
      return refusedReach('this token is bound to the workspaces it names');
    if (kind === 'access-tokens') return this.#refusedToken(caller, listOf(sent['workspace_names']));
    const workspace = workspaceOf(parent);
    if (parent !== '' && this.#visible(caller, workspace) === undefined) return notFound(workspace);
    if (parent !== '' && !this.#resources.has(parent)) return notFound(parent);
    if (this.#resources.has(name)) return { status: 409, error: `${rulesOf(kind).noun} already exists: ${name}` };
    if (this.#removed.has(name)) return nameKept(name);
    return this.#isKeyTaken(caller, listOf(sent['write_keys']), name) ? KEY_TAKEN : undefined;
  }

  /** D-8: tokens do not see a later workspace of the same name. */
  #unbindTokens(workspace: string): void {
    for (const name of this.#below('', 'access-tokens')) {
      const token = this.#resources.get(name);
      const names = listOf(token?.['workspace_names']);
      if (token === undefined || !names.includes(workspace)) continue;
      if (names.length === 1) this.#resources.delete(name);
      else this.#resources.set(name, { ...token, workspace_names: names.filter((one) => one !== workspace) });
    }
  }

  /** Its keys other than these are those that its workspace had. */
  #giveUp(name: string, kept: readonly string[] = []): void {
    for (const key of listOf(this.#resources.get(name)?.['write_keys'])) {
      if (kept.includes(key)) continue;
      this.#had.set(key, (this.#had.get(key) ?? new Set()).add(workspaceOf(name)));
    }
  }

  /** D-10: a write key belongs to one source of all, and one that others had goes to no tenant. */
  #isKeyTaken(caller: Caller, wanted: readonly string[], owner: string): boolean {
    const ofOthers = wanted.some((key) =>
      [...(this.#had.get(key) ?? [])].some((one) => !this.#isWithinReach(caller, one)),
    );
    if (ofOthers) return true;
    return [...this.#resources].some(
      ([name, fields]) => name !== owner && listOf(fields['write_keys']).some((key) => wanted.includes(key)),
    );
  }

  /** D-8: a token hands out no more than it has. */
  #refusedToken(caller: Caller, wanted: readonly string[]): Refused | undefined {
    if (wanted.length === 0 && this.#reach(caller).length > 0) {
      const wayOut = 'name the workspaces of the new token in access_token.workspace_names';
      return refusedReach(`this token is bound to workspaces, so ${wayOut}`);
    }
    const missing = wanted.find((name) => this.#visible(caller, name) === undefined);
    return missing === undefined ? undefined : invalid(`access_token.workspace_names: ${missing} does not exist`);
  }

  /** The resource if it is there, and the caller may know it. */
  #visible(caller: Caller, name: string): Fields | undefined {
    const reach = this.#reach(caller);
    const fields = this.#resources.get(name);
    if (reach.length === 0 || fields === undefined) return fields;
    if (kindOf(name) !== 'access-tokens') return this.#isWithinReach(caller, name) ? fields : undefined;
    const others = listOf(fields['workspace_names']);
    return others.length > 0 && others.every((other) => reach.includes(other)) ? fields : undefined;
  }

  #isWithinReach(caller: Caller, name: string): boolean {
    const reach = this.#reach(caller);
    return reach.length === 0 || reach.includes(workspaceOf(name));
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

function workspaceOf(name: string): string {
  return name.split('/').slice(0, 2).join('/');
}

/** D-10: a create without keys, or with none in the list, generates one. */
function withoutNoKeys({ write_keys, ...sent }: Fields): Fields {
  return listOf(write_keys).length === 0 ? sent : { ...sent, write_keys };
}

/** D-10: an update replaces the list, and leaves a source with 1 to 10 keys. */
function faultOfNewKeys(keys: readonly string[]): string | undefined {
  return keys.length === 0 ? 'source.write_keys must hold 1 to 10 keys, got none' : faultOfKeys(keys);
}

function faultOfKeys(keys: readonly string[]): string | undefined {
  if (new Set(keys).size < keys.length) return 'source.write_keys contains a key twice';
  return keys.includes('[redacted]') ? 'source.write_keys holds [redacted]' : undefined;
}

/** The settings that were sent, as those of a kind. */
function asDestination(kind: string, fields: Fields): Fields {
  const { config } = fields;
  return config === undefined ? fields : { ...fields, config: settled(Object(config), kind) };
}

function asNew(name: string, sent: Fields): Fields {
  const made = { ...sent, ...impliedBy(lastOf(name)) };
  return asDestination(destinationKind(name, made), made);
}

function faultOfNew(name: string, sent: Fields): string | undefined {
  const made = asNew(name, sent);
  return (
    faultOfCatalogName(lastOf(name), sent) ??
    faultOfNames(Object(sent['config']), destinationKind(name, made)) ??
    unusable(name, made)
  );
}
