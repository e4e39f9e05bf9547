import { SettingFault } from './setting-fault.ts';

const LONGEST = 2048;

/**
 * Passes a full http or https URL as it was written (HOOK-2). Stricter than `new URL`, which mends `http:example.com`,
 * back slashes and white space silently. Credentials belong into a header, where logs do not show them.
 */
export function readWebhookUrl(value: unknown, place: string): string {
  if (typeof value !== 'string') throw new SettingFault(place, 'must be a string with a full http or https URL');
  if (value.length > LONGEST) throw new SettingFault(place, `is longer than ${LONGEST} characters`);
  const parsed = /^https?:\/\/[^\s\\/?#]+[^\s\\]*$/i.test(value) ? URL.parse(value) : null;
  if (parsed === null) {
    throw new SettingFault(place, `must be a full http or https URL, got ${beginningOf(value)}`);
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new SettingFault(place, 'must not hold a user name or password: put them into a header');
  }
  return value;
}

/** Scheme and host, as far as there are any: what is behind them may be a secret, and what is before an `@`. */
function beginningOf(value: string): string {
  const [shown = ''] = /^\s*(?:[a-z][a-z0-9+.-]{0,19}:)?[\\/]{0,3}(?![^\\/?#\s]*@)[^\\/?#\s]{0,60}/i.exec(value) ?? [];
  return shown.length === value.length ? JSON.stringify(value) : `a text that begins with ${JSON.stringify(shown)}`;
}
