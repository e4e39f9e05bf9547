import { type Fields, kindOf, lastOf } from './config-kinds.ts';
import type { Setting, Settings } from './config-settings.ts';

const REDACTED = '[redacted]';

/** The fields of a resource as a token with the scope `workspace:read` sees them (D-15). */
export function redacted(name: string, fields: Fields): Fields {
  switch (kindOf(name)) {
    case 'sources': {
      const { write_keys: keys } = fields;
      // A key that the API generated is known to the API alone: fields may stand here without one.
      return Array.isArray(keys) ? { ...fields, write_keys: keys.map(() => REDACTED) } : fields;
    }
    case 'destinations': {
      const settings: Settings = Object(fields['config']);
      const hidesAll = lastOf(name) === 'webhooks';
      const config = Object.entries(settings).map(([key, setting]) => [key, hidden(key, setting, hidesAll)]);
      return { ...fields, config: Object.fromEntries(config) };
    }
    case 'access-tokens':
    case 'workspaces':
    case 'tracking-plans':
      return fields;
  }
}

const WORDS: readonly unknown[] = ['x-signature', 'standard-webhooks', 'both'];

function hidden(key: string, setting: Setting, hidesAll: boolean): Setting {
  const { type, value } = setting;
  if (key === 'hooks') return { ...setting, value: Array.isArray(value) ? value.map(hook) : texts(value) };
  if (key === 'globalHook') return { ...setting, value: address(value) };
  if (key === 'shape') return { ...setting, value: texts(value) };
  if (key === 'signature' && WORDS.includes(value)) return setting;
  if (hidesAll || type === 'password' || /secret|password|token|credential|key|auth|signature/i.test(key))
    return { ...setting, value: texts(value) };
  return { ...setting, value: texts(value, (text) => (/^https?:/i.test(text) ? address(text) : text)) };
}

function hook(item: unknown): unknown {
  const { hook: url, headers, ...rest }: Fields = Object(item);
  const pairs = Array.isArray(headers)
    ? headers.map((pair: unknown): unknown => ({ ...Object(pair), value: texts(Object(pair).value) }))
    : texts(headers);
  return { hook: address(url), ...(headers === undefined ? {} : { headers: pairs }), ...rest };
}

/** Scheme and host: what is behind them may be a secret. */
function address(value: unknown): unknown {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null) return texts(value);
  return url.pathname === '/' && url.search + url.hash === '' ? value : `${url.origin}/${REDACTED}`;
}

function texts(value: unknown, change: (text: string) => unknown = () => REDACTED): unknown {
  if (typeof value === 'string') return value === '' ? value : change(value);
  if (Array.isArray(value)) return value.map((item: unknown) => texts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, texts(inner, change)]));
}
