import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from '../../webhooks/adapters/fastify.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
type Parser = (request: unknown, body: unknown, done: (error: null, body: unknown) => void) => void;

/** As much of Fastify as the plugin uses, after its documentation: parsers get the body whole, as a buffer; a request that breaks off is dropped. */
export function fastifyLike(plugin: (instance: FastifyInstance) => Promise<void>): RequestListener {
  const made: { handler?: Handler; parser?: Parser } = {};
  const registered = plugin({
    removeAllContentTypeParsers: () => undefined,
    addContentTypeParser: (_type, _options, parser) => (made.parser = parser),
    post: (_path, handler) => (made.handler = handler),
  });
  return (request, response) => {
    const reply: FastifyReply = {
      code: (status) => Object.assign(reply, void (response.statusCode = status)),
      type: (type) => Object.assign(reply, void response.setHeader('Content-Type', type)),
      send: (text) => response.end(text),
    };
    const run = async () => {
      await registered;
      const raw = await buffer(request);
      const body = await new Promise((resolve) => made.parser?.(request, raw, (_error, parsed) => resolve(parsed)));
      await made.handler?.({ body, headers: request.headers }, reply);
    };
    run().catch(() => request.destroy());
  };
}
