import { parseArgs } from 'node:util';
import { duration, logLevel, networks, port, slug, text, token } from './setting-values.ts';

export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** The first access token of an empty store; generated and printed once when unset. */
  readonly token: string | undefined;
  readonly workspace: string;
  readonly allowNetworks: readonly string[];
  readonly retryFirstWaitMs: number;
  readonly logLevel: string;
}

/** A setting with a value that cannot be used. The message names the setting, the value and what would do. */
export class InvalidSetting extends Error {
  override readonly name = 'InvalidSetting';
}

interface Setting<Value> {
  /** As a flag: `--data-dir`; as a variable: `WAYBILL_DATA_DIR`. */
  readonly flag: string;
  readonly standard: string | undefined;
  /** Throws with what is wrong about the text. */
  readonly parse: (text: string) => Value;
}

type SettingTable = { readonly [Key in keyof Settings]: Setting<NonNullable<Settings[Key]>> };

export const SETTINGS: SettingTable = {
  host: { flag: 'host', standard: '127.0.0.1', parse: text },
  port: { flag: 'port', standard: '8080', parse: port },
  dataDir: { flag: 'data-dir', standard: './data', parse: text },
  token: { flag: 'token', standard: undefined, parse: token },
  workspace: { flag: 'workspace', standard: 'main', parse: slug },
  allowNetworks: { flag: 'allow-networks', standard: '', parse: networks },
  retryFirstWaitMs: { flag: 'retry-first-wait', standard: '10s', parse: duration },
  logLevel: { flag: 'log-level', standard: 'info', parse: logLevel },
};

/** Reads settings from flags and environment; flags win. Throws InvalidSetting. */
export function readSettings(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Settings {
  const flags = readFlags(args);
  const read = <Value>(setting: Setting<Value>): Value | undefined => {
    const flag = flags[setting.flag];
    const variable = `WAYBILL_${setting.flag.toUpperCase().replaceAll('-', '_')}`;
    const [label, given] = flag === undefined ? [variable, env[variable]] : [`--${setting.flag}`, flag];
    const value = given === undefined || given === '' ? setting.standard : given;
    return value === undefined ? undefined : parsed(setting, label, value);
  };
  return {
    host: required(read(SETTINGS.host)),
    port: required(read(SETTINGS.port)),
    dataDir: required(read(SETTINGS.dataDir)),
    token: read(SETTINGS.token),
    workspace: required(read(SETTINGS.workspace)),
    allowNetworks: required(read(SETTINGS.allowNetworks)),
    retryFirstWaitMs: required(read(SETTINGS.retryFirstWaitMs)),
    logLevel: required(read(SETTINGS.logLevel)),
  };
}

function readFlags(args: readonly string[]): Readonly<Record<string, string | undefined>> {
  const options = Object.fromEntries(Object.values(SETTINGS).map(({ flag }) => [flag, { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (cause) {
    const known = Object.keys(options).map((flag) => `--${flag}`);
    throw new InvalidSetting(`${messageOf(cause)}\nThe flags are ${known.join(', ')}.`, { cause });
  }
}

function parsed<Value>(setting: Setting<Value>, label: string, value: string): Value {
  try {
    return setting.parse(value);
  } catch (cause) {
    const shown = setting.flag === 'token' ? '' : ` ${JSON.stringify(value)}`;
    throw new InvalidSetting(`${label}${shown}: ${messageOf(cause)}`, { cause });
  }
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a setting without a standard was asked for as if it had one');
  return value;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
