import { keyOf, SIGNATURES } from './webhooks-settings.ts';

/** What stands in the place of a secret for those who may not read it (D-15). */
export const REDACTED = '[redacted]';

/** A setting as it is answered. */
interface Entry {
  readonly name: string;
  readonly type: string;
  readonly value?: unknown;
}

/** Names that other kinds of destinations give to settings that hold a secret. */
const SECRET_NAME = /secret|password|token|credential|key|auth|signature/i;

/** The setting without its secret; the same object when it holds none. */
export function redactedSetting(entry: Entry): Entry {
  const value = redactedValue(entry);
  return value === entry.value ? entry : { ...entry, value };
}

/** An empty text hides nothing: that it is not set may be known. */
export function redactedText(value: unknown): unknown {
  return typeof value === 'string' && value !== '' ? REDACTED : value;
}

/** Whether a text could be what was read without the right to see it. */
export function holdsRedacted(value: unknown): boolean {
  return JSON.stringify(value ?? null).includes(REDACTED);
}

/** An entry does not say of which kind its destination is: what webhooks call a setting is shown as theirs. */
function redactedValue({ name, type, value }: Entry): unknown {
  const key = keyOf(name);
  if (key === 'hooks') return Array.isArray(value) ? each(value, redactedHook) : redactedTexts(value);
  if (key === 'globalHook') return redactedUrl(value);
  // A constant that is set may be what the receiver knows its sender by.
  if (key === 'shape') return redactedTexts(value);
  if (isWord(key, value)) return value;
  // An earlier version took any settings for this destination: a slip of the pen for `sharedSecret` is a secret, too.
  const isSecret = type === 'password' || SECRET_NAME.test(key) || slugIn(name) === 'webhooks';
  return isSecret ? redactedTexts(value) : withoutUrls(value);
}

/** How requests are signed, and not with what. */
function isWord(key: string, value: unknown): boolean {
  return key === 'signature' && SIGNATURES.some((one) => one === value);
}

function redactedHook(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return redactedTexts(item);
  return Object.fromEntries(
    Object.entries(item).map(([field, value]) => {
      if (field === 'hook') return [field, redactedUrl(value)];
      return [field, field === 'headers' ? redactedHeaders(value) : redactedTexts(value)];
    }),
  );
}

/** The names of headers stay: `[{key, value}]`, or a map. */
function redactedHeaders(headers: unknown): unknown {
  if (!Array.isArray(headers)) return redactedTexts(headers);
  return headers.map((pair: unknown) =>
    typeof pair === 'object' && pair !== null && 'value' in pair ? { ...pair, value: redactedText(pair.value) } : pair,
  );
}

/** What is behind the host goes: many providers keep the secret in the path. */
function redactedUrl(value: unknown): unknown {
  if (typeof value !== 'string') return redactedTexts(value);
  const url = URL.parse(value);
  if (url === null) return redactedText(value);
  return url.href === `${url.origin}/` ? value : `${url.origin}/${REDACTED}`;
}

/** Settings of other kinds hold webhooks, too. */
function withoutUrls(value: unknown): unknown {
  return changed(value, (text) => (/^https?:/i.test(text) ? redactedUrl(text) : text));
}

/** Every text in a value. */
function redactedTexts(value: unknown): unknown {
  return changed(value, redactedText);
}

function changed(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return each(value, (item) => changed(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([field, inner]) => [field, changed(inner, change)] as const);
  return fields.every(([field, inner]) => inner === Reflect.get(value, field)) ? value : Object.fromEntries(fields);
}

/** The same list when no item changes. */
function each(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const after = items.map(change);
  return after.every((item, index) => item === items[index]) ? items : after;
}

/** `…/destinations/webhooks/config/hooks` → `webhooks`. */
function slugIn(entryName: string): string | undefined {
  return /\/destinations\/([^/]+)\/config\//.exec(entryName)?.[1];
}
