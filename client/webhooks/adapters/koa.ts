import type { WebhookOptions } from '../handler.ts';
import { secretsOf } from '../handler.ts';
import { answerTo } from './node.ts';
import type { NodeRequest } from './node.ts';

/** What is needed of a Koa context. */
export interface KoaContext {
  readonly req: NodeRequest;
  status: number;
  body: unknown;
}

/** Koa middleware; it stands before any body parser. */
export function koaWebhook(options: WebhookOptions): (context: KoaContext) => Promise<void> {
  secretsOf(options);
  return async (context) => {
    const { status, text } = await answerTo(context.req, options);
    Object.assign(context, { status, body: text });
  };
}
