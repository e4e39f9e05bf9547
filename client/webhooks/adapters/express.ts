import type { WebhookOptions } from '../handler.ts';
import { checkOptions } from '../handler.ts';
import { respond } from './node.ts';
import type { NodeRequest, NodeResponse } from './node.ts';

type Next = (error?: unknown) => void;

/**
 * A handler for `app.post(path, expressWebhook({ … }))`. It stands before `express.json()`; behind
 * `express.raw({ type: '*\/*' })` it works as well, and where the bytes are kept as `request.rawBody`.
 */
export function expressWebhook(
  options: WebhookOptions,
): (request: NodeRequest, response: NodeResponse, next: Next) => void {
  const checked = checkOptions(options);
  return (request, response, next) => {
    respond(request, response, checked).catch(next);
  };
}
