import type { WebhookOptions } from '../handler.ts';
import { checkOptions, handleWebhook, LIMIT_BYTES, READ_BEFORE, reject, TOO_LARGE } from '../handler.ts';
import { signaturesOf } from '../received.ts';
import { readAll } from './read-all.ts';

/** A handler from Request to Response: Hono, Next.js routes, Deno, Bun, Cloudflare Workers. */
export function webWebhook(options: WebhookOptions): (request: Request) => Promise<Response> {
  const checked = checkOptions(options);
  return async (request) => {
    const { status, text } = await answerTo(request, checked);
    return new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
  };
}

async function answerTo(request: Request, options: WebhookOptions) {
  if (request.method !== 'POST') return reject(options, { status: 405, reason: 'webhooks are sent with POST' });
  if (request.bodyUsed) {
    return reject(options, { status: 500, reason: `${READ_BEFORE}: clone the request before something else reads it` });
  }
  const body = await readAll(request.body ?? none(), options.limitBytes ?? LIMIT_BYTES);
  if (body === undefined) return reject(options, { status: TOO_LARGE.status, reason: TOO_LARGE.text });
  return handleWebhook({ body, ...signaturesOf(Object.fromEntries(request.headers)) }, options);
}

async function* none(): AsyncGenerator<Uint8Array> {
  // A request without a body.
}
