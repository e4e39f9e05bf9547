import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EgressProxy } from '../delivery/egress-proxy.ts';
import { InvalidSetting } from './invalid-setting.ts';
import {
  bodyMemory,
  count,
  duration,
  egressProxy,
  firstWait,
  keyPolicy,
  limit,
  logLevel,
  networks,
  onOff,
  port,
  profilePolicy,
  publicUrl,
  type SecretKey,
  secretKeys,
  shownProxy,
  shownStorage,
  slug,
  storage,
  text,
  timeout,
  token,
} from './setting-values.ts';
import { parseFlags } from './parse-flags.ts';
import { readTelemetrySettings, type TelemetrySettings } from './telemetry-settings.ts';
import { messageOf } from '../thrown.ts';

export interface Settings {
  readonly host: string;
  readonly port: number;
  /** `file:<folder>`, or the URL of a database, which has a secret in it. */
  readonly storage: string;
  /** What encrypts secrets before they are stored, the newest first; none: they are stored in clear. */
  readonly secretKeys: readonly SecretKey[];
  /** The first access token of an empty store; generated and printed once when unset. */
  readonly token: string | undefined;
  readonly workspace: string;
  readonly allowNetworks: readonly string[];
  /** Through which webhooks are sent; undefined: they are sent directly. */
  readonly egressProxy: EgressProxy | undefined;
  /** Config API requests per minute and token, and five times as many for all of one workspace, of several the first; 0: not counted. */
  readonly rateLimit: number;
  readonly retryFirstWaitMs: number;
  /** How long ended deliveries and their attempts stay readable. */
  readonly retentionMs: number;
  /** Between two runs of an audience or a computed trait; each has up to half of it more. */
  readonly audienceIntervalMs: number;
  /** Whether profiles are kept from the start, or from the first audience or computed trait of a workspace. */
  readonly profiles: 'audiences' | 'always';
  /** Connections open at once. */
  readonly maxConnections: number;
  /** Requests of ingestion between the end of their body and their answer. */
  readonly maxRequests: number;
  /** Bytes of the bodies that ingestion keeps at once. */
  readonly maxBodyBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly responseTimeoutMs: number;
  /** Where others reach this router, without a slash at the end. */
  readonly publicUrl: string | undefined;
  /** Files in PEM, both or none: with them the router serves https. */
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  /** Whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Whether the reference is served. */
  readonly docs: boolean;
  /** Whether the console is served. */
  readonly console: boolean;
  /** Whether an unknown write key is answered as if its events were kept. */
  readonly unknownKeys: 'reject' | 'accept';
  readonly logLevel: string;
  /** All of them, as people may see them. */
  readonly inForce: readonly SettingInForce[];
  /** By the variables of OpenTelemetry; undefined where nothing is exported. */
  readonly telemetry?: TelemetrySettings | undefined;
}

interface Setting<Value> {
  /** As a flag: `--data-dir`; as a variable: `WAYBILL_DATA_DIR`. */
  readonly flag: string;
  readonly standard: string | undefined;
  /** Throws with what is wrong about the text. */
  readonly parse: (text: string) => Value;
  /** Its value is in no error, and nobody is shown it … */
  readonly isSecret?: boolean;
  /** … but for what this leaves of it. */
  readonly shown?: (text: string) => string | undefined;
}

/** A setting as people may see it. */
export interface SettingInForce {
  readonly flag: string;
  readonly variable: string;
  /** As it is written; undefined of what is secret, or not set. */
  readonly value: string | undefined;
  readonly isSet: boolean;
  /** Whether nobody set it. */
  readonly isDefault: boolean;
  readonly isSecret: boolean;
}

type SettingTable = {
  readonly [Key in keyof Omit<Settings, 'inForce' | 'telemetry'>]: Setting<NonNullable<Settings[Key]>>;
};

/** `dataDir` is short for a storage of files, and `secretKeysFile` holds what `secretKeys` would. */
export const SETTINGS: SettingTable & Readonly<Record<'dataDir' | 'secretKeysFile', Setting<string>>> = {
  host: { flag: 'host', standard: '127.0.0.1', parse: text },
  port: { flag: 'port', standard: '8080', parse: port },
  storage: { flag: 'storage', standard: 'file:./data', parse: storage, isSecret: true, shown: shownStorage },
  dataDir: { flag: 'data-dir', standard: undefined, parse: text },
  secretKeys: { flag: 'secret-keys', standard: '', parse: secretKeys, isSecret: true },
  secretKeysFile: { flag: 'secret-keys-file', standard: undefined, parse: text },
  token: { flag: 'token', standard: undefined, parse: token, isSecret: true },
  workspace: { flag: 'workspace', standard: 'main', parse: slug },
  allowNetworks: { flag: 'allow-networks', standard: '', parse: networks },
  egressProxy: { flag: 'egress-proxy', standard: undefined, parse: egressProxy, isSecret: true, shown: shownProxy },
  rateLimit: { flag: 'rate-limit', standard: '200', parse: limit },
  retryFirstWaitMs: { flag: 'retry-first-wait', standard: '10s', parse: firstWait },
  retentionMs: { flag: 'retention', standard: '7d', parse: duration },
  audienceIntervalMs: { flag: 'audience-interval', standard: '2h', parse: duration },
  profiles: { flag: 'profiles', standard: 'audiences', parse: profilePolicy },
  maxConnections: { flag: 'max-connections', standard: '10000', parse: count },
  maxRequests: { flag: 'max-requests', standard: '1000', parse: count },
  maxBodyBytes: { flag: 'max-body-memory', standard: '64MB', parse: bodyMemory },
  headersTimeoutMs: { flag: 'headers-timeout', standard: '20s', parse: timeout },
  requestTimeoutMs: { flag: 'request-timeout', standard: '60s', parse: timeout },
  responseTimeoutMs: { flag: 'response-timeout', standard: '30s', parse: timeout },
  publicUrl: { flag: 'public-url', standard: undefined, parse: publicUrl },
  tlsCert: { flag: 'tls-cert', standard: undefined, parse: text },
  tlsKey: { flag: 'tls-key', standard: undefined, parse: text },
  trustedProxies: { flag: 'trusted-proxies', standard: '', parse: networks },
  docs: { flag: 'docs', standard: 'on', parse: onOff },
  console: { flag: 'console', standard: 'on', parse: onOff },
  unknownKeys: { flag: 'unknown-keys', standard: 'reject', parse: keyPolicy },
  logLevel: { flag: 'log-level', standard: 'info', parse: logLevel },
};

/** The variable of the environment that stands for a flag. */
function variableOf(flag: string): string {
  return `WAYBILL_${flag.toUpperCase().replaceAll('-', '_')}`;
}

/** The variables of all settings. */
export const VARIABLES: readonly string[] = Object.values(SETTINGS).map(({ flag }) => variableOf(flag));

/** Reads settings from flags and environment; flags win. Throws InvalidSetting. */
export function readSettings(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Settings {
  const flags = readFlags(args);
  const read = <Value>(setting: Setting<Value>): Value | undefined => readOne(setting, flags, env);
  return {
    host: required(read(SETTINGS.host)),
    port: required(read(SETTINGS.port)),
    storage: readStorage(flags, env),
    secretKeys: readSecretKeys(flags, env),
    token: read(SETTINGS.token),
    workspace: required(read(SETTINGS.workspace)),
    allowNetworks: required(read(SETTINGS.allowNetworks)),
    egressProxy: read(SETTINGS.egressProxy),
    rateLimit: required(read(SETTINGS.rateLimit)),
    retryFirstWaitMs: required(read(SETTINGS.retryFirstWaitMs)),
    retentionMs: required(read(SETTINGS.retentionMs)),
    audienceIntervalMs: required(read(SETTINGS.audienceIntervalMs)),
    profiles: required(read(SETTINGS.profiles)),
    maxConnections: required(read(SETTINGS.maxConnections)),
    maxRequests: required(read(SETTINGS.maxRequests)),
    maxBodyBytes: required(read(SETTINGS.maxBodyBytes)),
    headersTimeoutMs: required(read(SETTINGS.headersTimeoutMs)),
    requestTimeoutMs: required(read(SETTINGS.requestTimeoutMs)),
    responseTimeoutMs: required(read(SETTINGS.responseTimeoutMs)),
    publicUrl: read(SETTINGS.publicUrl),
    ...tlsOf(read(SETTINGS.tlsCert), read(SETTINGS.tlsKey)),
    trustedProxies: required(read(SETTINGS.trustedProxies)),
    docs: required(read(SETTINGS.docs)),
    console: required(read(SETTINGS.console)),
    unknownKeys: required(read(SETTINGS.unknownKeys)),
    logLevel: required(read(SETTINGS.logLevel)),
    inForce: inForce(flags, env),
    telemetry: readTelemetrySettings(env),
  };
}

/** Of the two that name the storage it is the one that does. */
function inForce(flags: Given, env: Given): readonly SettingInForce[] {
  const { storage: own, dataDir: short } = SETTINGS;
  const unused = givenOf(short, flags, env) === '' ? short : own;
  const all = Object.values(SETTINGS).filter((setting) => setting !== unused);
  return all.map((setting) => shownSetting(setting, givenOf(setting, flags, env)));
}

/** What is secret has no value here, so that nobody can show it. */
function shownSetting(
  { flag, standard = '', isSecret = false, shown }: Setting<unknown>,
  given: string,
): SettingInForce {
  const written = given === '' ? standard : given;
  const value = shown !== undefined ? shown(written) : isSecret ? undefined : written;
  const named = { flag, variable: variableOf(flag), value: value === '' ? undefined : value };
  return { ...named, isSet: written !== '', isDefault: given === '', isSecret };
}

/** Empty stands for nothing, as it does in a file of variables. */
function givenOf({ flag }: Setting<unknown>, flags: Given, env: Given): string {
  return flags[flag] ?? env[variableOf(flag)] ?? '';
}

function tlsOf(tlsCert: string | undefined, tlsKey: string | undefined): Pick<Settings, 'tlsCert' | 'tlsKey'> {
  if ((tlsCert === undefined) === (tlsKey === undefined)) return { tlsCert, tlsKey };
  const names = [SETTINGS.tlsCert, SETTINGS.tlsKey].map(({ flag }) => `--${flag} (${variableOf(flag)})`).join(' and ');
  throw new InvalidSetting(`${names} need each other: give both`);
}

type Given = Readonly<Record<string, string | undefined>>;

function readOne<Value>(setting: Setting<Value>, flags: Given, env: Given): Value | undefined {
  const flag = flags[setting.flag];
  const variable = variableOf(setting.flag);
  const [label, given] = flag === undefined ? [variable, env[variable]] : [`--${setting.flag}`, flag];
  const value = given === undefined || given === '' ? setting.standard : given;
  return value === undefined ? undefined : parsed(setting, label, value);
}

/** Which storage is chosen, by its own setting or by the short form. Throws InvalidSetting when they disagree. */
export function readStorage(flags: Given, env: Given): string {
  const { storage: own, dataDir: short } = SETTINGS;
  const folder = readOne(short, flags, env);
  const place = readOne(folder === undefined ? own : { ...own, standard: undefined }, flags, env);
  if (folder === undefined) return required(place);
  if (place !== undefined && !isFolder(place, folder)) {
    const names = [own, short].map(({ flag }) => `--${flag} (${variableOf(flag)})`).join(' and ');
    throw new InvalidSetting(`${names} name different places: give one of them`);
  }
  return `file:${folder}`;
}

/** The keys that encrypt secrets, by their own setting or in a file. Throws InvalidSetting. */
export function readSecretKeys(flags: Given, env: Given): readonly SecretKey[] {
  const { secretKeys: own, secretKeysFile: inFile } = SETTINGS;
  const file = readOne(inFile, flags, env);
  const keys = required(readOne(own, flags, env));
  if (file === undefined) return keys;
  const names = [own, inFile].map(({ flag }) => `--${flag} (${variableOf(flag)})`).join(' and ');
  if (keys.length > 0) throw new InvalidSetting(`${names} both hold keys: give one of them`);
  const label = `--${inFile.flag} (${variableOf(inFile.flag)}) ${JSON.stringify(file)}`;
  const found = parsed(own, label, readText(file, label));
  if (found.length === 0) throw new InvalidSetting(`${label}: the file holds no key`);
  return found;
}

function readText(file: string, label: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new InvalidSetting(`${label}: ${messageOf(cause)}`, { cause });
  }
}

function isFolder(place: string, folder: string): boolean {
  return place.startsWith('file:') && resolve(place.slice('file:'.length)) === resolve(folder);
}

const SHORT_FORMS = new Map([
  ['--no-docs', '--docs=off'],
  ['--no-console', '--console=off'],
]);

function readFlags(args: readonly string[]): Readonly<Record<string, string | undefined>> {
  const options = Object.fromEntries(Object.values(SETTINGS).map(({ flag }) => [flag, { type: 'string' as const }]));
  try {
    const spelledOut = args.map((arg) => SHORT_FORMS.get(arg) ?? arg);
    return parseFlags({ args: spelledOut, options }).values;
  } catch (cause) {
    throw new InvalidSetting(`${messageOf(cause)}\n--help describes the flags.`, { cause });
  }
}

function parsed<Value>(setting: Setting<Value>, label: string, value: string): Value {
  try {
    return setting.parse(value);
  } catch (cause) {
    const shown = setting.isSecret === true ? '' : ` ${JSON.stringify(value)}`;
    throw new InvalidSetting(`${label}${shown}: ${messageOf(cause)}`, { cause });
  }
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a setting without a standard was asked for as if it had one');
  return value;
}
