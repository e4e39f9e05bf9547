import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { fastifyWebhook } from '../../../client/webhooks/index.ts';

type Plugin = ReturnType<typeof fastifyWebhook>;
type Instance = Parameters<Plugin>[0];
type Parser = Parameters<Instance['addContentTypeParser']>[2];
type Handler = Parameters<Instance['post']>[1];
type Reply = Parameters<Handler>[1];

/** As much of Fastify as the plugin uses, after its documentation; a request that breaks off is dropped. */
export function fastifyLike(plugin: Plugin): RequestListener {
  const made: { handler?: Handler; parser?: Parser } = {};
  const registered = plugin({
    removeAllContentTypeParsers: () => undefined,
    addContentTypeParser: (_type, _options, parser) => (made.parser = parser),
    post: (_path, handler) => (made.handler = handler),
  });
  return (request, response) => {
    const reply: Reply = {
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
