import { type Header, headerOf, utf8In } from '../receiver/received.ts';
import { isForm } from '../../client/webhooks/senders/twilio.ts';
import { formField, formFields } from '../schemes/form.ts';
import { spellingsOf } from '../schemes/secret-spellings.ts';
import { isCredential, isSecret } from './credential-names.ts';
import type { Recorded } from './recording.ts';
import { REPLACED, redactedJson } from './redacted-json.ts';

/** Takes the secrets out of a text, in whichever way it spells them. */
type Clean = (text: string) => string;

/**
 * A recorded request that can be kept with the tests: what is a credential by its name is replaced, and so is every
 * occurrence of the secrets and of the keys in them. Signatures are replaced too; `signedAnew` makes new ones.
 */
export function redacted(recorded: Recorded, secrets: readonly string[] = []): Recorded {
  const { path, headers, body } = recorded;
  const spelled = secrets.flatMap(spellingsOf);
  const clean = without(spelled);
  return {
    ...recorded,
    path: redactedPath(path, clean),
    headers: headers.map(([name, value]): Header => [name, isCredential(name) ? REPLACED : clean(value)]),
    body: redactedBody(body, isForm(headerOf(recorded, 'content-type') ?? ''), spelled),
  };
}

function without(spelled: readonly string[]): Clean {
  return (text) => spelled.reduce((kept, secret) => kept.replaceAll(secret, REPLACED), text);
}

function redactedPath(path: string, clean: Clean): string {
  const [, place = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(path) ?? [];
  const fields = query === undefined ? '' : `?${redactedFields(query, isCredential, clean)}`;
  return clean(place) + fields + clean(fragment);
}

/** Bytes stay as they are where there is nothing to replace: another spelling of the same body would be another body. */
function redactedBody(body: Uint8Array, ofForm: boolean, spelled: readonly string[]): Uint8Array {
  const text = utf8In(body);
  if (text === undefined) return redactedBytes(body, spelled);
  const clean = without(spelled);
  const kept = ofForm ? redactedFields(text, isSecret, clean) : redactedJson(text, clean);
  return kept === text ? body : Buffer.from(kept);
}

/** What is no text may hold some: a form with a file in it. */
function redactedBytes(body: Uint8Array, spelled: readonly string[]): Uint8Array {
  const text = Buffer.from(body).toString('latin1');
  const kept = without(spelled.map((secret) => Buffer.from(secret).toString('latin1')))(text);
  return kept === text ? body : Buffer.from(kept, 'latin1');
}

/** The fields of a form or a query; a field may hold JSON, as Slack's `payload` does. */
function redactedFields(text: string, isHidden: (name: string) => boolean, clean: Clean): string {
  const fields = formFields(text).map(({ raw, name, value }) => {
    const kept = isHidden(name) && value !== '' ? REPLACED : redactedJson(value, clean);
    const called = clean(name);
    return kept === value && called === name ? raw : formField(called, kept);
  });
  return clean(fields.join('&'));
}
