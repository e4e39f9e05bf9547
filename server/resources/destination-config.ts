import type { components } from '../../generated/config-api.d.ts';
import type { AddressGuard } from '../delivery/address-guard.ts';
import { catalogDestination, emptyValue, type Setting } from '../destinations/catalog.ts';
import { holdsRedacted, REDACTED } from '../destinations/redacted-settings.ts';
import { SettingFault } from '../destinations/setting-fault.ts';
import { isWebhooks, kindOf, type Made } from '../destinations/kind.ts';
import { checkWebhooksSetting, keyOf, requireWebhooksSetting } from '../destinations/webhooks-settings.ts';
import { ApiError } from '../http/errors.ts';
import { refuseDeepNesting } from '../http/validation.ts';
import type { ConfigEntry } from '../model/resources.ts';
import { knownFieldsOf, typeOfValue } from '../model/stored-rows.ts';

type Schemas = components['schemas'];

/** Settings that came later are shown once they are set: strict clients would take them for a difference, too. */
const SHOWN_UNSET = new Set(['sharedSecret', 'globalHook', 'hooks']);

/**
 * What a destination shows before anything was set: the first settings of webhooks. Of other kinds only what was sent is
 * shown: strict clients take a default that they never sent for a difference.
 */
export function defaultEntries(destination: Made): ConfigEntry[] {
  const settings = isWebhooks(destination) ? (catalogDestination(kindOf(destination))?.settings ?? []) : [];
  return settings
    .filter(({ key }) => SHOWN_UNSET.has(key))
    .map((setting) => toEntry(destination, setting, emptyValue(setting.type)));
}

/** An entry of a request, as far as it can be read without knowing the kind of its destination. */
export interface SentEntry {
  readonly key: string;
  /** `destination.config[0]`. */
  readonly place: string;
  readonly entry: Schemas['ConfigEntryInput'];
}

/** Reads the entries of a request; an error names the exact place (`destination.config[0].value`). */
export function readEntries(sent: readonly Schemas['ConfigEntryInput'][], destination: string): SentEntry[] {
  const seen = new Set<string>();
  return sent.map((entry, index) => {
    const place = `destination.config[${index}]`;
    const key = readKey(entry.name, destination, `${place}.name`);
    if (seen.has(key)) throw new ApiError('InvalidArgument', `${place}.name: ${key} is in the list twice`);
    seen.add(key);
    refuseDeepNesting(entry.value, `${place}.value`);
    refuseRedacted(entry.value, `${place}.value`);
    return { key, place, entry };
  });
}

/** What entries are as settings of a destination of this kind; an error names the place (`…value[2].hook`). */
export function settingsOf(sent: readonly SentEntry[], destination: Made, guard: AddressGuard): ConfigEntry[] {
  return sent.map(({ key, place, entry }) => {
    const delivers = isWebhooks(destination);
    if (delivers) inPlace(`${place}.name`, () => requireWebhooksSetting(key));
    const setting = settingOf(key, entry, destination);
    const value = entry.value ?? emptyValue(setting.type);
    if (delivers) inPlace(`${place}.value`, () => checkWebhooksSetting(key, value, guard));
    return toEntry(destination, setting, delivers ? knownFieldsOf(key, value) : value);
  });
}

/** Changes replace what has their name and keep its place; the rest stays, and what is new comes last (D-11). */
export function mergeEntries(current: readonly ConfigEntry[], changes: readonly ConfigEntry[]): ConfigEntry[] {
  const merged = new Map(current.map((entry) => [entry.name, entry]));
  for (const entry of changes) merged.set(entry.name, entry);
  return [...merged.values()];
}

/** A name is the bare key, or the full name below this very destination. */
function readKey(name: string, destination: string, place: string): string {
  const prefix = `${destination}/config/`;
  const key = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  if (/^[^/\s]{1,200}$/.test(key)) return keyOf(key);
  const seen = JSON.stringify(name.slice(0, 200));
  throw new ApiError('InvalidArgument', `${place} must be ${prefix}<key>, or the key alone, got ${seen}`);
}

/** The catalog knows best what its settings are; of others the request says it, or else the value shows it. */
function settingOf(key: string, { type, value }: Schemas['ConfigEntryInput'], destination: Made): Setting {
  const known = catalogDestination(kindOf(destination))?.settings.find((setting) => setting.key === key);
  return known ?? { key, displayName: key, type: type ?? typeOfValue(value) };
}

/** A fault of a setting as an error that names its place in the body. */
export function inPlace<Checked>(place: string, check: () => Checked): Checked {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof SettingFault)) throw error;
    throw new ApiError('InvalidArgument', `${place}${error.place} ${error.message}`, { cause: error });
  }
}

/** Somebody read the destination with a token that may not see its secrets, and sends back what was shown (D-15). */
function refuseRedacted(value: unknown, place: string): void {
  if (!holdsRedacted(value)) return;
  const why = `holds ${REDACTED}, the placeholder for secrets in answers to read-only tokens`;
  const wayOut = 'omit the entry to keep the stored value, or read it with a token of the scope "workspace"';
  throw new ApiError('InvalidArgument', `${place} ${why}: ${wayOut}`);
}

function toEntry({ name }: Made, { key, displayName, type }: Setting, value: unknown): ConfigEntry {
  return { name: `${name}/config/${key}`, display_name: displayName, type, value };
}
