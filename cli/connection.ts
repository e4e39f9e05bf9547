import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Send } from '../client/config/call.ts';
import { systemClock } from '../client/config/clock.ts';
import { ID } from '../client/config/name-templates.ts';
import { checkOptions, type ConfigClientOptions } from '../client/config/options.ts';
import { createSend } from '../client/config/send.ts';
import { UsageError } from '../server/cli/command.ts';
import { isObject } from './contract/schemas.ts';
import { readJson } from './contract/values.ts';
import { patient, tellingWaits } from './patience.ts';
import type { Terminal } from './terminal.ts';

/** Flags of every command that asks a router. */
export interface ConnectionFlags {
  readonly url?: string;
  readonly token?: string;
  readonly workspace?: string;
}

/** The router that a command asks. */
export interface Connection {
  readonly url: string;
  readonly token: string;
  /** The slug of the workspace that short names are of. */
  readonly workspace: string;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Key = keyof ConnectionFlags;

const KEYS: readonly Key[] = ['url', 'token', 'workspace'];
const DEFAULTS: ConnectionFlags = { url: 'http://127.0.0.1:8080', workspace: 'main' };
/** Large workspaces answer large pages. */
const TIMEOUT_MS = 60_000;

/** From the flags, else the environment, else the file, else the default. */
export function readConnection(flags: ConnectionFlags, env: Environment): Connection {
  const file = fileOf(env);
  const { url, token, workspace } = { ...DEFAULTS, ...readFile(file), ...readEnvironment(env), ...flags };
  if (token === undefined)
    throw new UsageError(`no access token: give --token, set WAYBILL_TOKEN, or write "token: <token>" to ${file}`);
  requireToken('the access token', token);
  return {
    url: readUrl('--url (WAYBILL_URL)', url ?? ''),
    token,
    workspace: readSlug('--workspace (WAYBILL_WORKSPACE)', workspace ?? ''),
  };
}

/** No error shows it. */
export function requireToken(what: string, token: string): void {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError(`${what} has spaces or characters beyond ASCII`);
}

export function readSlug(setting: string, given: string): string {
  if (ID.test(given)) return given;
  throw new UsageError(`${setting} must be a slug such as main, got ${JSON.stringify(given)}`);
}

export function optionsOf({ url, token }: Connection): ConfigClientOptions {
  return { baseUrl: url, token, timeoutMs: TIMEOUT_MS };
}

/** Any request of the contract. */
export function sendTo(connection: Connection, options: Pick<ConfigClientOptions, 'fetch'> = {}): Send {
  return createSend(checkOptions({ ...optionsOf(connection), ...options }));
}

/** For commands that make as many requests as there are resources. */
export function sendManyTo(connection: Connection, terminal: Pick<Terminal, 'say'>): Send {
  return patient(sendTo(connection, { fetch: tellingWaits((request) => fetch(request), systemClock, terminal) }));
}

function fileOf({ XDG_CONFIG_HOME: config, HOME: home = '~' }: Environment): string {
  return join(config !== undefined && config !== '' ? config : join(home, '.config'), 'waybill/config.yaml');
}

function readEnvironment(env: Environment): ConnectionFlags {
  const given = KEYS.map((key) => [key, env[`WAYBILL_${key.toUpperCase()}`]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== ''));
}

function readFile(file: string): ConnectionFlags {
  const text = contentOf(file);
  const content = text === undefined ? {} : (readJson(file, text) ?? {});
  if (!isObject(content)) throw new UsageError(`${file} must hold url, token or workspace, each on a line of its own`);
  for (const [key, value] of Object.entries(content)) {
    if (!KEYS.some((known) => known === key))
      throw new UsageError(`${file}: unknown key "${key}"; use ${KEYS.join(', ')}`);
    if (typeof value !== 'string') throw new UsageError(`${file}: ${key} must be a text`);
  }
  return content;
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}

/** The address of a Config API, with or without `/v1beta`. No error shows it: it may hold a password. */
export function readUrl(setting: string, given: string): string {
  const url = URL.parse(given);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && !/[?#@]/.test(given);
  if (isPlain) return (url.origin + url.pathname).replace(/(\/v1beta)?\/*$/, '');
  throw new UsageError(`${setting} must be an http or https URL such as http://127.0.0.1:8080`);
}
