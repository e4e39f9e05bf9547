import type { Answer } from '../fault-script/behavior.ts';
import type { Content } from './filler.ts';
import type { Header } from './received.ts';

export interface Sender {
  /** Milliseconds since the epoch, by the back-end's clock. */
  readonly now: number;
  /** The URL that was asked: where a redirect to `self` goes. */
  readonly self: string;
}

/** The head of an answer: what the script says, then what HTTP needs. What the script names itself comes last and alone. */
export function headersOf(answer: Answer, content: Content, { now, self }: Sender): readonly Header[] {
  const given = Object.entries(answer.headers);
  const named = new Set(given.map(([name]) => name.toLowerCase()));
  return [...framing(content), ...scripted(answer, now, self), ['Date', new Date(now).toUTCString()] as const]
    .filter(([name]) => !named.has(name.toLowerCase()))
    .concat(given);
}

function framing({ chunks, length }: Content): Header[] {
  const empty = length === 0 || (Array.isArray(chunks) && chunks.length === 0);
  const type: Header[] = empty ? [] : [['Content-Type', 'text/plain; charset=utf-8']];
  return length === undefined ? type : [...type, ['Content-Length', String(length)]];
}

function scripted({ to, retryAfter, gzip, headerFill }: Answer, now: number, self: string): Header[] {
  const headers: Header[] = [];
  if (to !== undefined) headers.push(['Location', to === 'self' ? self : to]);
  if (retryAfter !== undefined) headers.push(['Retry-After', retryAfterText(retryAfter, now)]);
  if (gzip) headers.push(['Content-Encoding', 'gzip']);
  if (headerFill > 0) headers.push(['X-Filler', '.'.repeat(headerFill)]);
  return headers;
}

/** A date is rounded up to its whole second, so that it is never earlier than the script says. */
function retryAfterText({ form, ms }: { form: 'seconds' | 'date'; ms: number }, now: number): string {
  return form === 'seconds' ? String(ms / 1000) : new Date(Math.ceil((now + ms) / 1000) * 1000).toUTCString();
}
