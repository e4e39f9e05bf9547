import type { WebhookOptions } from '../handler.ts';
import { checkOptions } from '../handler.ts';
import { answerTo, headersOf } from './node.ts';
import type { NodeRequest } from './node.ts';

/** What is needed of a Koa context. */
export interface KoaContext {
  readonly req: NodeRequest;
  status: number;
  body: unknown;
  set(headers: Record<string, string>): void;
}

/** Koa middleware; it stands before any body parser. */
export function koaWebhook(options: WebhookOptions): (context: KoaContext) => Promise<void> {
  const checked = checkOptions(options);
  return async (context) => {
    const answer = await answerTo(context.req, checked);
    context.set(headersOf(answer));
    Object.assign(context, { status: answer.status, body: answer.text });
  };
}
