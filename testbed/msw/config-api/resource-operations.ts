import type * as v from 'valibot';
import type { Fields, Kind } from '../../contract/config-kinds.ts';
import { isGenerated, lastOf, parentOf, rulesOf } from '../../contract/config-kinds.ts';
import type { Expected, Taken } from '../../contract/config-expected.ts';
import { type Entry, sentSettings } from '../../contract/config-settings.ts';
import type { Call, Demands } from './call.ts';
import { requireMatch } from './entity-tag.ts';
import { pageOf, type PageQuery } from './page.ts';
import { Refusal } from './refusal.ts';
import { type Shown, shown } from './shown.ts';
import type { State } from './state.ts';

/** One operation over the model: what it asks of a request, what it answers, and what the generated validators say of that. */
export interface ModeledOperation {
  readonly demands: Demands;
  readonly answers: v.GenericSchema;
  readonly handle: (state: State, call: Call) => Fields;
}

export function listOf(kind: Kind, query: v.GenericSchema, answers: v.GenericSchema): ModeledOperation {
  const handle = ({ model }: State, { caller, resource, query: asked }: Call): Fields => {
    const { names = [] } = taken(model.list(caller, collectionOf(resource), kind));
    const page = pageOf(names, Object(asked) satisfies PageQuery, resource);
    const items = page.names.map((name) => shown(name, taken(model.get(caller, name)).fields ?? {}));
    return { [rulesOf(kind).plural]: items, next_page_token: page.next };
  };
  return { demands: { writes: false, query }, answers, handle };
}

export function creationOf(kind: Kind, body: v.GenericSchema, answers: v.GenericSchema): ModeledOperation {
  const handle = (state: State, { caller, resource, body: sent }: Call): Fields => {
    const { name: given, ...fields }: Fields = Object(Object(sent)[rulesOf(kind).key]);
    const slug = isGenerated(kind) ? state.identifiers.slug(kind) : slugIn(String(given), `${resource}/`, kind);
    const stamp = state.stampOf(kind, collectionOf(resource), fields);
    const wanted = fieldsOf(fields);
    const { fields: made = {}, commit } = taken(
      state.model.create(caller, kind, collectionOf(resource), slug, wanted, stamp),
    );
    const plaintext = kind === 'access-tokens' ? state.identifiers.plaintext() : '';
    commit?.(`${resource}/${slug}`, plaintext);
    const resourceShown = shown(`${resource}/${slug}`, made);
    return kind === 'access-tokens' ? { ...resourceShown, token: plaintext } : resourceShown;
  };
  return { demands: { writes: true, body }, answers, handle };
}

export function readOf(answers: v.GenericSchema): ModeledOperation {
  return {
    demands: { writes: false },
    answers,
    handle({ model }, call) {
      const resource = call.resource === 'access-tokens/self' ? call.caller.name : call.resource;
      return current(model.get(call.caller, resource), { ...call, resource });
    },
  };
}

export function updateOf(kind: Kind, body: v.GenericSchema, answers: v.GenericSchema): ModeledOperation {
  const handle = (state: State, call: Call): Fields => {
    const { caller, resource, body: sent, ifMatch } = call;
    const { key } = rulesOf(kind);
    const { update_mask: inner, ...fields }: Fields = Object(Object(sent)[key]);
    const paths = [Object(sent).update_mask, inner].flatMap((mask) => pathsIn(mask, key));
    const wanted = fieldsOf(fields);
    const expected = state.model.update(caller, resource, wanted, paths, state.updateStampOf(kind));
    if (ifMatch !== null && expected.status !== 404)
      requireMatch(ifMatch, current(state.model.get(caller, resource), call));
    const { fields: changed = {}, commit } = taken(expected);
    commit?.(resource, '');
    return shown(resource, changed);
  };
  return { demands: { writes: true, body }, answers, handle };
}

export function removalOf(answers: v.GenericSchema, query?: v.GenericSchema): ModeledOperation {
  return { demands: { writes: true, ...(query === undefined ? {} : { query }) }, answers, handle: remove };
}

function remove({ model }: State, call: Call): Fields {
  const { caller, resource, ifMatch, query: asked } = call;
  if (ifMatch !== null) requireMatch(ifMatch, current(model.get(caller, resource), call));
  taken(model.remove(caller, resource, Object(asked).force === true)).commit?.(resource, '');
  return {};
}

function current(expected: Expected, { resource }: Call): Shown {
  return shown(resource, taken(expected).fields ?? {});
}

export function taken(expected: Expected): Taken {
  if (expected.status === 200) return expected;
  throw new Refusal(expected.status, expected.error);
}

/** `workspaces/main/sources` → `workspaces/main`: where the items of a collection stand. */
function collectionOf(resource: string): string {
  return parentOf(`${resource}/item`);
}

function slugIn(given: string, within: string, kind: Kind): string {
  const slug = given.startsWith(within) ? given.slice(within.length) : '';
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(slug)) return slug;
  throw new Refusal(400, `${rulesOf(kind).key}.name must be ${within}<slug>, got ${JSON.stringify(given)}`);
}

function fieldsOf({ config, ...fields }: Fields): Fields {
  if (!Array.isArray(config)) return fields;
  const entries: readonly Entry[] = config;
  const keys = entries.map(({ name }) => lastOf(name));
  if (new Set(keys).size < keys.length) throw new Refusal(400, 'destination.config: a name is in the list twice');
  return { ...fields, config: sentSettings(entries) };
}

/** Bare paths: clients write them with the key of the resource, or without (CFG-7). */
function pathsIn(mask: unknown, key: string): readonly string[] {
  const paths: readonly string[] = Object(mask).paths ?? [];
  return paths.map((path) => (path.startsWith(`${key}.`) ? path.slice(key.length + 1) : path));
}
