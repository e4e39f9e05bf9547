import type { RequestListener } from 'node:http';
import express from 'express';
import { fastify, type FastifyInstance } from 'fastify';
import Koa from 'koa';
import { expressWebhook, fastifyWebhook, koaWebhook, nodeWebhook, type WebhookOptions } from '../../webhooks/index.ts';

/**
 * The adapters in the frameworks themselves, as their users write it down; the webhook stands at `/`. Two of them print
 * connections that broke, and are told not to.
 */
export const FRAMEWORKS: readonly (readonly [name: string, listener: (options: WebhookOptions) => RequestListener])[] =
  [
    ['node:http', (options) => (request, response) => void nodeWebhook(options)(request, response)],
    ['Koa', (options) => Object.assign(new Koa(), { silent: true }).use(koaWebhook(options)).callback()],
    ['Express', (options) => express().set('env', 'test').all('/', expressWebhook(options))],
    ['Fastify', (options) => listenerOf(fastify().register(fastifyWebhook({ path: '/', ...options })))],
  ];

/** Fastify answers once its plugins are ready. */
export function listenerOf(instance: PromiseLike<unknown> & FastifyInstance): RequestListener {
  return (request, response) => void instance.ready().then(() => instance.routing(request, response));
}
