import type { Event } from '../../server/model/message.ts';
import type { PostRequest } from '../../server/ports/transport.ts';
import type { Answer, Courier } from './courier.ts';
import { digestIn } from './forgery.ts';
import { failed, type Judgment, passed } from './scenario.ts';

/** `204 after 12 ms`, `first_byte_timeout after 5000 ms`. */
export function told({ status, outcome, ms }: Answer): string {
  const gone = outcome === 'connect_refused' ? ': nobody listens there' : '';
  return `${status ?? outcome} after ${Math.round(ms)} ms${gone}`;
}

/** A 2xx: anything else makes the router try again, or give the event up. */
export function accepted(what: string, answer: Answer): Judgment {
  if (answer.outcome === 'delivered') return passed(`accepted: ${told(answer)}`);
  return failed(`${what} was not accepted: ${told(answer)}; answer 2xx`);
}

/** Rejected with a 4xx: a 2xx would let everybody in, a 5xx would bring the same request back for four hours. */
export function rejected(what: string, answer: Answer): Judgment {
  if (answer.outcome === 'http_4xx') return passed(`rejected: ${told(answer)}`);
  const wrong = answer.outcome === 'delivered' ? 'was accepted' : 'was not rejected with a 4xx';
  return failed(`${what} ${wrong}: ${told(answer)}; answer 401`);
}

/** Sends an event, and wants it accepted. */
export async function wantAccepted(courier: Courier, what: string, fields: Partial<Event> = {}): Promise<Judgment> {
  return accepted(what, await courier.deliver(courier.message(fields)));
}

/** Sends a request that must be rejected, with no word about what it ought to have been. */
export async function wantRejected(courier: Courier, what: string, request: PostRequest): Promise<Judgment> {
  const answer = await courier.send(request);
  const judgment = rejected(what, answer);
  if (judgment.verdict === 'failed') return judgment;
  if (rightDigests(courier, request).some((right) => answer.excerpt.includes(right)))
    return failed(`the answer to ${what} tells the signature that it expected: whoever reads it can sign`);
  return judgment;
}

/** What it ought to have been signed with: by its own id and time, where the sender signs them. What it says itself is no secret. */
function rightDigests(courier: Courier, { headers, body }: PostRequest): readonly string[] {
  const sent = Object.values(headers).join(' ');
  const times = [...sent.matchAll(/\b\d{10}\b/g)].map(([seconds]) => Number(seconds) * 1_000);
  const id = headers['webhook-id'];
  const right = [Date.now(), ...times].map((at) =>
    digestIn(courier.requestOf(body, { at, ...(id === undefined ? {} : { id }) }), courier.scheme),
  );
  return right.filter((digest) => digest !== '' && !sent.includes(digest));
}
