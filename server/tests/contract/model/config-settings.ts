/** One setting of a destination, as its config entries show it. */
export interface Setting {
  readonly display_name: string;
  readonly type: string;
  readonly value: unknown;
}

/** Settings by key, in the order in which they are shown. */
export type Settings = Readonly<Record<string, Setting>>;

export interface Entry {
  readonly name: string;
  readonly type?: string | undefined;
  readonly value?: unknown;
}

const WEBHOOKS: Settings = {
  sharedSecret: { display_name: 'Shared Secret', type: 'string', value: '' },
  globalHook: { display_name: 'Webhook URL', type: 'string', value: '' },
  hooks: { display_name: 'Webhooks (max 5)', type: 'mixed', value: [] },
};

/** Settings that are shown once they are set. */
const LATER: Settings = {
  signature: { display_name: 'Signature', type: 'select', value: '' },
  maxPerSecond: { display_name: 'Maximum per second', type: 'number', value: 0 },
  maxInFlight: { display_name: 'Maximum in flight', type: 'number', value: 0 },
  shape: { display_name: 'Shape of bodies', type: 'mixed', value: [] },
  ordering: { display_name: 'Ordering', type: 'select', value: '' },
  traceContext: { display_name: 'Trace context', type: 'boolean', value: false },
};

/** HOOK-1. */
const MAX_WEBHOOKS = 5;

/** The entries of a request by key: what they are as settings depends on the kind of the destination. */
export type SentSettings = Readonly<Record<string, Entry>>;

export function sentSettings(entries: readonly Entry[]): SentSettings {
  return Object.fromEntries(entries.map((entry) => [entry.name.slice(entry.name.lastIndexOf('/') + 1), entry]));
}

/** What the settings of a destination are before any was set: those of its catalog entry. */
export function defaultConfig(kind: string): Settings {
  return kind === 'webhooks' ? WEBHOOKS : {};
}

/** What was sent as settings; of what the catalog does not know, the value shows the type. */
export function settled(sent: SentSettings, kind: string): Settings {
  return Object.fromEntries(
    Object.entries(sent).map(([key, { type, value }]) => {
      const known = kind === 'webhooks' ? { ...WEBHOOKS, ...LATER }[key] : undefined;
      if (known !== undefined) return [key, { ...known, value: knownFieldsOf(key, value ?? known.value) }];
      return [key, { display_name: key, type: type ?? typeOf(value), value: value ?? emptyOf(type) }];
    }),
  );
}

/** Fields that a webhook, or one of its headers, does not have are not kept (D-6). */
function knownFieldsOf(key: string, value: unknown): unknown {
  if (key !== 'hooks' || !Array.isArray(value)) return value;
  return value.map((item: unknown) => {
    if (typeof item !== 'object' || item === null) return item;
    const { hook, headers }: { hook?: unknown; headers?: unknown } = item;
    const pairs = Array.isArray(headers)
      ? headers.map((pair) => ({ key: Object(pair).key, value: Object(pair).value }))
      : headers;
    return { ...('hook' in item ? { hook } : {}), ...('headers' in item ? { headers: pairs } : {}) };
  });
}

/** The config entries of a destination, as they are answered. */
export function entriesOf(destination: string, settings: Settings): readonly (Setting & { readonly name: string })[] {
  return Object.entries(settings).map(([key, setting]) => ({ name: `${destination}/config/${key}`, ...setting }));
}

/** Secrets that were redacted are wrong, whatever stands there already. */
export function faultOfSent(sent: SentSettings): string | undefined {
  return JSON.stringify(Object.values(sent)).includes('[redacted]') ? 'config holds [redacted]' : undefined;
}

export function faultOfNames(sent: SentSettings, kind: string): string | undefined {
  const unknown =
    kind === 'webhooks' ? Object.keys(sent).find((key) => !Object.hasOwn({ ...WEBHOOKS, ...LATER }, key)) : undefined;
  return unknown === undefined ? undefined : `webhooks has no setting ${JSON.stringify(unknown)}`;
}

/** What is wrong with the settings of a webhooks destination; undefined when nothing is (D-11, HOOK-1). */
export function faultOf(settings: Settings, isEnabled: boolean): string | undefined {
  const [hooks, global] = [settings['hooks']?.value ?? [], settings['globalHook']?.value ?? ''];
  if (!Array.isArray(hooks)) return 'hooks must be a list of {hook, headers}';
  const urls: unknown[] = hooks.map((item: unknown): unknown => Object(item).hook);
  if (global !== '') urls.push(global);
  const bad = urls.find((url) => typeof url !== 'string' || !/^https?:\/\/[^\s\\/?#]+[^\s\\]*$/i.test(url));
  if (bad !== undefined) return `a webhook must be a full http or https URL, got ${JSON.stringify(bad)}`;
  if (typeof (settings['sharedSecret']?.value ?? '') !== 'string') return 'sharedSecret must be a string';
  const unsigned =
    faultOfSigning(settings, isEnabled) ?? faultOfLimits(settings) ?? faultOfShape(settings['shape']?.value ?? []);
  if (unsigned !== undefined) return unsigned;
  if (urls.length > MAX_WEBHOOKS) return `hooks and globalHook are ${urls.length} webhooks, at most 5 are allowed`;
  return isEnabled && urls.length === 0 ? 'there is no webhook yet: set hooks in destination.config first' : undefined;
}

function faultOfLimits(settings: Settings): string | undefined {
  const [rate, count] = [settings['maxPerSecond']?.value ?? 0, settings['maxInFlight']?.value ?? 0];
  if (typeof rate !== 'number' || (rate !== 0 && !(rate >= 0.01 && rate <= 10_000)))
    return 'maxPerSecond must be a number from 0.01 to 10000, or 0';
  const isCount = typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= 32;
  if (!isCount) return 'maxInFlight must be an integer from 1 to 32, or 0';
  const ordering: unknown = settings['ordering']?.value ?? '';
  const isOrdering = ordering === '' || ordering === 'none' || ordering === 'user';
  if (!isOrdering) return 'ordering must be none or user';
  const traceContext: unknown = settings['traceContext']?.value ?? false;
  return typeof traceContext === 'boolean' ? undefined : 'traceContext must be true or false';
}

/** What each operation of a shape has, as the document says. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  keep: ['paths'],
  drop: ['paths'],
  rename: ['from', 'to'],
  set: ['path', 'value'],
};

/** Expressions are not read: any text is one. */
function faultOfShape(shape: unknown): string | undefined {
  if (!Array.isArray(shape) || shape.length > 50) return 'shape must be a list of at most 50 operations';
  const bad = shape.findIndex((item: unknown) => !isShapeOperation(Object(item)));
  return bad < 0 ? undefined : `shape[${bad}] is no operation`;
}

function isShapeOperation({ op, ...fields }: Record<string, unknown>): boolean {
  const wanted = typeof op === 'string' && Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op] : undefined;
  if (wanted === undefined || Object.keys(fields).toSorted().join() !== wanted.join()) return false;
  const { paths, from, to, path, value } = fields;
  if (op === 'keep' || op === 'drop')
    return Array.isArray(paths) && paths.length > 0 && paths.length <= 100 && paths.every(isPath);
  if (op === 'rename') return isPath(from) && isNewPath(to);
  return isNewPath(path) && typeof value === 'string' && value.trim() !== '';
}

function isPath(path: unknown): boolean {
  return typeof path === 'string' && path.length <= 1_000 && /^(?:[^.\\]|\\[^])+(?:\.(?:[^.\\]|\\[^])+)*$/u.test(path);
}

function isNewPath(path: unknown): boolean {
  return isPath(path) && !String(path).split('.').includes('__proto__');
}

/** Whether requests can be signed; what keys hold is not looked at. */
function faultOfSigning(settings: Settings, isEnabled: boolean): string | undefined {
  const [signature, secret] = [settings['signature']?.value ?? '', settings['sharedSecret']?.value ?? ''];
  if (signature === '' || signature === 'x-signature') return undefined;
  if (signature !== 'standard-webhooks' && signature !== 'both') return 'signature must be one of three';
  if (typeof secret !== 'string') return 'sharedSecret must be a string';
  if (secret === '') return isEnabled ? `signature is ${signature}, and there is no secret` : undefined;
  const [, form, base64 = ''] = /^(whsec_|whsk_|whpk_)(.*)$/s.exec(secret) ?? [];
  if (form === undefined) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  const sizes = { whsec_: bytes.length >= 24 && bytes.length <= 64, whsk_: bytes.length === 32 || bytes.length === 64 };
  const isKey = form !== 'whpk_' && bytes.toString('base64') === base64 && Reflect.get(sizes, form) === true;
  if (!isKey) return `sharedSecret must be a key behind ${form}`;
  return form === 'whsk_' && signature === 'both' ? 'signature is both, and the key is for Ed25519' : undefined;
}

function typeOf(value: unknown): string {
  if (typeof value === 'boolean' || typeof value === 'number') return typeof value;
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? 'list' : 'mixed';
  return typeof value === 'object' && value !== null ? 'map' : 'string';
}

function emptyOf(type: string | undefined): unknown {
  switch (type ?? 'string') {
    case 'boolean':
      return false;
    case 'number':
      return 0;
    case 'list':
    case 'mixed':
      return [];
    case 'map':
      return {};
    default:
      return '';
  }
}
