import type { Receiver, ReceiverEvent } from '../../index.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export async function post(
  url: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const answer = await fetch(url, {
    method: 'POST',
    body: new Uint8Array(Buffer.from(body)),
    headers,
    redirect: 'manual',
  });
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
}

/** How a request failed: the code that undici gives, or the message of its parser. */
export async function failureOf(sending: Promise<unknown>): Promise<string> {
  try {
    await sending;
  } catch (error) {
    const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
    if (!(cause instanceof Error)) return String(cause);
    return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
  }
  throw new Error('The request was answered in full');
}

/** The status, or how the request failed. */
export async function resultOf(sending: Promise<Answered>): Promise<string> {
  return sending.then(
    ({ status }) => String(status),
    async () => failureOf(sending),
  );
}

export function event(type: string, fields: Record<string, unknown> = {}): string {
  return JSON.stringify({ version: 1, type, userId: 'user-42', ...fields });
}

/** The statuses of so many posts, one after another. */
export async function statuses(url: string, bodies: readonly string[]): Promise<readonly number[]> {
  const seen: number[] = [];
  for (const body of bodies) seen.push((await post(url, body)).status);
  return seen;
}

/** The next event of a kind, from the moment of the call. */
export async function nextEvent<K extends ReceiverEvent['kind']>(
  receiver: Receiver,
  kind: K,
): Promise<Extract<ReceiverEvent, { readonly kind: K }>> {
  return new Promise((resolve) => {
    const stop = receiver.onEvent((happened) => {
      if (!isKind(happened, kind)) return;
      stop();
      resolve(happened);
    });
  });
}

function isKind<K extends ReceiverEvent['kind']>(
  happened: ReceiverEvent,
  kind: K,
): happened is Extract<ReceiverEvent, { readonly kind: K }> {
  return happened.kind === kind;
}
