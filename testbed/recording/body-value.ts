import { headerOf } from '../receiver/received.ts';
import { isForm } from '../../client/webhooks/senders/twilio.ts';
import { formFields } from '../schemes/form.ts';
import type { Recorded } from './recording.ts';

/**
 * What a body holds: JSON, the fields of a form, or text. A field that comes several times is a list, and one may hold an
 * object in JSON.
 */
export function valueIn(request: Pick<Recorded, 'headers' | 'body'>): unknown {
  const text = Buffer.from(request.body).toString('utf8');
  if (!isForm(headerOf(request, 'content-type') ?? '')) return parsed(text);
  const fields = Map.groupBy(formFields(text), ({ name }) => name);
  const values = [...fields].map(([name, same]) => {
    const all = same.map(({ value }) => fieldValue(value));
    return [name, all.length === 1 ? all[0] : all];
  });
  return Object.fromEntries(values);
}

/** A number or a word in a form is text: it is known of none of them that it always is one. */
function fieldValue(value: string): unknown {
  return /^\s*[{[]/.test(value) ? parsed(value) : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
