import { Analytics, type CloseReport, type FlushReport } from './analytics.ts';
import type { Calls } from './calls.ts';
import type { AnalyticsOptions } from './options.ts';
import type { CallResult } from './result.ts';
import type { CallType } from './wire.ts';

/** What the module-level functions work with. */
export type ModuleSettings = { writeKey?: string | undefined } & {
  -readonly [Name in keyof AnalyticsOptions]: AnalyticsOptions[Name];
};

/**
 * The settings of the default client (LIB-14): `writeKey`, and any option of a client. They are read at the first call;
 * to change them later, `close` first. `debug` alone may be changed at any time.
 */
export const settings: ModuleSettings = {};

/** Made at the first call, gone with `close`. With `used`, what it was made from. */
let current: { readonly client: Analytics<boolean>; readonly used: ModuleSettings } | undefined;

type ModuleResult = CallResult | Promise<CallResult>;

/** The six calls of the default client; a promise of the result when `settings.syncMode` is on. */
export const identify: Calls<ModuleResult>['identify'] = (...args: unknown[]) => call('identify', args);
export const track: Calls<ModuleResult>['track'] = (...args: unknown[]) => call('track', args);
export const page: Calls<ModuleResult>['page'] = (...args: unknown[]) => call('page', args);
export const screen: Calls<ModuleResult>['screen'] = (...args: unknown[]) => call('screen', args);
export const group: Calls<ModuleResult>['group'] = (...args: unknown[]) => call('group', args);
export const alias: Calls<ModuleResult>['alias'] = (...args: unknown[]) => call('alias', args);

/** As of a client. Without a call before it there is nothing to wait for. */
export async function flush(options?: { readonly timeoutMs?: number | undefined }): Promise<FlushReport> {
  const report = await current?.client.flush(options);
  return report ?? { timedOut: false, delivered: 0, failed: 0, pending: 0 };
}

/** As of a client; the next call makes a new default client from the settings of then. */
export async function close(options?: { readonly timeoutMs?: number | undefined }): Promise<CloseReport> {
  const closed = current;
  // What it keeps is its own until it is closed.
  if (!closed?.used.store) current = undefined;
  const report = await closed?.client.close(options);
  if (current === closed) current = undefined;
  return report ?? { timedOut: false, delivered: 0, unsent: [] };
}

/** The types of the functions above say which arguments fit; here they go through as they are. */
function call(type: CallType, args: unknown[]): ModuleResult {
  return Reflect.apply(defaultClient()[type], undefined, args);
}

function defaultClient(): Analytics<boolean> {
  current ??= newClient();
  const { client, used } = current;
  client.setDebug(settings.debug ?? false);
  for (const name of Object.keys({ ...used, ...settings })) {
    const isChanged = name !== 'debug' && Reflect.get(settings, name) !== Reflect.get(used, name);
    if (isChanged) throw new Error(`settings.${name} was changed after the first call: close() first`);
  }
  return client;
}

function newClient(): NonNullable<typeof current> {
  // LIB-4: as empty it is refused.
  const { writeKey = '', ...options } = settings;
  return { client: new Analytics<boolean>(writeKey, options), used: { ...settings } };
}
