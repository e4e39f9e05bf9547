import { type Replayed, replay } from '../recording/replay.ts';
import { signedAnew } from '../recording/signed-anew.ts';
import type { Endpoint } from './endpoints.ts';
import { targetOf } from './forward-target.ts';
import type { Received } from './received.ts';

/** What became of a request that was sent again. */
export interface Resent extends Pick<Replayed, 'answer' | 'ms'> {
  /** Whether it was signed anew; else it went as it came. */
  readonly isSigned: boolean;
}

/** Long enough for somebody who looks at it in a debugger. */
const DEADLINE_MS = 60_000;

/** Sends a request again, signed anew where its endpoint has a secret that signs. */
export async function resend(request: Received, to: string, signing: Endpoint['signing']): Promise<Resent> {
  const { at, method, path, headers, body } = request;
  const recorded = { at: new Date(at).toISOString(), method, path, headers, body };
  if (signing === undefined) return { ...(await replay(recorded, to, DEADLINE_MS)), isSigned: false };
  const target = targetOf(to, path);
  const url = new URL(target.path, target.origin).href;
  // A scheme may put something of its own into the query of the address.
  const signed = signedAnew(recorded, { url, ...signing });
  return { ...(await replay(signed, target.origin.origin, DEADLINE_MS)), isSigned: true };
}
