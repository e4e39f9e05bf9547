import { idsIn } from '../../client/config/name-templates.ts';
import { UsageError } from '../../server/cli/command.ts';
import type { ApiCommand } from './api-commands.ts';

/** Where a request goes. */
export interface Target {
  readonly template: string;
  readonly ids: Readonly<Record<string, string>>;
  /** The full name of what is addressed. */
  readonly name: string;
}

/** Names are given in full, or without what the workspace says: `web/webhooks` is a destination of `web`. */
export function targetOf(command: ApiCommand, given: string | undefined, workspace: string): Target {
  const forms = formsOf(command);
  for (const form of forms) {
    const ids = given === undefined ? idsOfNone(form, workspace) : idsOf(form, given, workspace);
    if (ids !== undefined) return { template: form.template, ids, name: filled(form.named, ids) };
  }
  const [{ named } = { named: '' }] = forms;
  const whole = bracketed(named);
  const short = argumentOf(command) ?? whole;
  throw new UsageError(
    `${JSON.stringify(given)} is not a name of the form ${[...new Set([short, whole])].join(' or ')}`,
  );
}

/** The argument of a command: `<source>/<destination>`; undefined where the workspace says all. */
export function argumentOf(command: ApiCommand): string | undefined {
  const [form] = formsOf(command);
  const ids = form === undefined ? [] : shortIds(form);
  return ids.length === 0 ? undefined : ids.map((id) => `<${id}>`).join('/');
}

/** A full name as people write it. Only names of this workspace are known without it. */
export function shortName(name: string, workspace: string): string {
  const prefix = `workspaces/${workspace}/`;
  if (!name.startsWith(prefix)) return name.split('/').length > 3 ? name : (name.split('/').at(-1) ?? name);
  const parts = name.slice(prefix.length).split('/');
  // Collections and ids take turns; the level between a destination and its filter is in no short name.
  return parts.filter((_, index) => index % 2 === 1 && parts[index - 1] !== 'config').join('/');
}

interface Form {
  readonly template: string;
  /** The template of the name: of the resource itself, or of what it stands below. */
  readonly named: string;
  /** Whether a workspace itself is addressed. */
  readonly isWorkspace: boolean;
}

/** The shortest form first. */
function formsOf({ operations, namedBy }: ApiCommand): readonly Form[] {
  const forms = operations.map(({ template }) => ({
    template,
    named: nameTemplate(namedBy ?? template),
    isWorkspace: (namedBy ?? template) === '/v1beta/workspaces/{workspace}',
  }));
  return forms.toSorted((one, other) => one.named.length - other.named.length);
}

function nameTemplate(template: string): string {
  const [path = ''] = template.replace(/^\/v1beta\//, '').split(':');
  // A collection has the name of its parent.
  return path.replace(/(^|\/)[^{}]+$/, '');
}

function parametersOf(named: string): readonly string[] {
  return [...named.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => id);
}

/** The workspace is known, but where it is the one that is addressed. */
function shortIds({ named, isWorkspace }: Form): readonly string[] {
  const ids = parametersOf(named);
  return isWorkspace ? ids : ids.filter((id) => id !== 'workspace');
}

function idsOfNone(form: Form, workspace: string): Target['ids'] | undefined {
  return shortIds(form).length === 0 ? { workspace } : undefined;
}

function idsOf(form: Form, given: string, workspace: string): Target['ids'] | undefined {
  const full = idsWithUser(form.named, given);
  if (full !== undefined) return full;
  const short = shortIds(form);
  const values = idsWithUser(short.map((id) => `{${id}}`).join('/'), given);
  return values === undefined ? undefined : { workspace, ...values };
}

/** Ids of users come from whoever sends events, and may hold slashes: one at the end of a name is all of the rest. */
function idsWithUser(named: string, given: string): Target['ids'] | undefined {
  const before = /^(.*)\{user\}$/.exec(named)?.[1]?.split('/').slice(0, -1);
  if (before === undefined) return idsIn(named, given);
  const parts = given.split('/');
  const user = parts.slice(before.length).join('/');
  // URLs take the first for folders, and cannot hold the second; the third are full names of something else.
  if (/^\.{0,2}$|\p{Cs}|^workspaces\//u.test(user)) return undefined;
  const ids = before.length === 0 ? {} : idsIn(before.join('/'), parts.slice(0, before.length).join('/'));
  return ids && { ...ids, user };
}

function filled(named: string, ids: Target['ids']): string {
  return named.replaceAll(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? '');
}

function bracketed(named: string): string {
  return named.replaceAll('{', '<').replaceAll('}', '>');
}
