import type { WebhookOptions } from '../handler.ts';
import { checkOptions, handleWebhook, LIMIT_BYTES } from '../handler.ts';
import { signaturesOf } from '../received.ts';

export interface FastifyRequest {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface FastifyReply {
  code(status: number): FastifyReply;
  type(contentType: string): FastifyReply;
  send(text: string): unknown;
}

/** What is needed of a Fastify instance. */
export interface FastifyInstance {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { readonly parseAs: 'buffer'; readonly bodyLimit: number },
    parser: (request: unknown, body: unknown, done: (error: null, body: unknown) => void) => void,
  ): unknown;
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
}

/**
 * A plugin: `app.register(fastifyWebhook({ path: '/hooks', … }))`. Inside it bodies stay bytes; the parsers of the rest
 * of the application are not touched.
 */
export function fastifyWebhook(
  options: WebhookOptions & { readonly path: string },
): (instance: FastifyInstance) => Promise<void> {
  const { path, ...checked } = checkOptions(options);
  return async (instance) => {
    instance.removeAllContentTypeParsers();
    const parse = { parseAs: 'buffer', bodyLimit: checked.limitBytes ?? LIMIT_BYTES } as const;
    instance.addContentTypeParser('*', parse, (_request, body, done) => done(null, body));
    instance.post(path, async ({ body, headers }, reply) => {
      const bytes = body instanceof Uint8Array ? body : new Uint8Array();
      const { status, text } = await handleWebhook({ body: bytes, ...signaturesOf(headers) }, checked);
      return reply.code(status).type('text/plain; charset=utf-8').send(text);
    });
  };
}
