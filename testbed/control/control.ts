import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { ScriptError } from '../fault-script/script-error.ts';
import { bind, portOf } from '../receiver/listener.ts';
import type { Receiver } from '../receiver/receiver.ts';
import { ControlError } from './control-error.ts';
import { loadDocument, type Operation, operationsOf } from './document.ts';
import { type Call, createHandlers, type Handlers } from './handlers.ts';
import { isOfPage, sendPage } from './page.ts';
import { refuseOtherHosts, refuseStrangers } from './strangers.ts';
import { readPath, readQuery } from './parameters.ts';
import { readJson } from './body.ts';

const HOST = '127.0.0.1';

/** The control API of a receiver, on a port of its own. */
export interface Control extends AsyncDisposable {
  readonly url: string;
  /** The address of the page that shows what arrives, with its token. */
  readonly page: string;
  close(): Promise<void>;
}

export interface ControlOptions {
  /** Default 0: a free one. */
  readonly port?: number;
  /** Programs give the token of the page as well; default only the page does. */
  readonly needsToken?: boolean;
}

/**
 * Serves `openapi/receiver-control.v1.yaml` for a receiver, to programs on this machine alone. Rejects with a
 * ListenError. Closing it leaves the receiver as it is.
 */
export async function openControl(
  receiver: Receiver,
  { port = 0, needsToken = false }: ControlOptions = {},
): Promise<Control> {
  const token = randomBytes(18).toString('base64url');
  const server = createServer(listenerFor(receiver, { token, needsToken }));
  await bind(server, port, HOST);
  let closing: Promise<void> | undefined;
  const close = async () => {
    closing ??= new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    await closing;
  };
  const url = `http://${HOST}:${portOf(server)}`;
  return { url, page: `${url}/#token=${token}`, close, [Symbol.asyncDispose]: close };
}

interface Access {
  readonly token: string;
  readonly needsToken: boolean;
}

function listenerFor(receiver: Receiver, access: Access): RequestListener {
  const document = loadDocument();
  const operations = operationsOf(document);
  const handlers = createHandlers(receiver, document);
  return (request, response) => {
    const over = new AbortController();
    response.once('close', () => over.abort());
    answer({ operations, handlers, access }, request, response, over.signal).catch((error: unknown) =>
      sendFailure(response, error),
    );
  };
}

interface Desk {
  readonly operations: readonly Operation[];
  readonly handlers: Handlers;
  readonly access: Access;
}

async function answer(
  { operations, handlers, access: { token, needsToken } }: Desk,
  request: IncomingMessage,
  response: ServerResponse,
  over: AbortSignal,
): Promise<void> {
  refuseOtherHosts(request.headers);
  const address = URL.parse(request.url ?? '/', `http://${HOST}`);
  if (address === null) throw new ControlError(400, 'the address of the request cannot be read');
  const { pathname, searchParams } = address;
  const method = request.method ?? '';
  if (isOfPage(method, pathname)) return sendPage(pathname, response);
  refuseStrangers(request.headers, token, needsToken);
  const { operation, path } = find(operations, method, pathname);
  if (operation.needsToken) refuseStrangers(request.headers, token, true);
  const call = {
    path: readPath(operation, path),
    query: readQuery(operation, searchParams),
    body: await readJson(request),
    over,
  };
  const given = await callHandler(handlers, operation, call);
  return isStream(given) ? sendStream(response, given, over) : send(response, 200, given);
}

function isStream(given: unknown): given is AsyncIterable<unknown> {
  return typeof given === 'object' && given !== null && Symbol.asyncIterator in given;
}

/** As server-sent events; whoever does not read is waited for. */
async function sendStream(
  response: ServerResponse,
  messages: AsyncIterable<unknown>,
  over: AbortSignal,
): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  for await (const message of messages) {
    if (
      response.write(`data: ${JSON.stringify(message)}

`)
    )
      continue;
    await once(response, 'drain', { signal: over }).catch(() => undefined);
  }
  response.end();
}

/** Here alone the compiler cannot follow: the handlers and the parameters of the document come from one file. */
function callHandler(handlers: object, { id }: Operation, call: Record<keyof Call<never>, unknown>): unknown {
  const handle: (given: object) => unknown = Reflect.get(handlers, id);
  return handle(call);
}

interface Found {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
}

function find(operations: readonly Operation[], method: string, pathname: string): Found {
  const here = operations.flatMap((operation) => {
    const groups = patternOf(operation).exec(pathname);
    return groups === null ? [] : [{ operation, path: { ...groups.groups } }];
  });
  const found = here.find(({ operation }) => operation.method === method);
  if (found !== undefined) return found;
  if (here.length === 0) {
    const all = [...new Set(operations.map(({ template }) => template))].join(', ');
    throw new ControlError(404, `There is nothing at ${pathname}; there are ${all}`);
  }
  const methods = here.map(({ operation }) => operation.method).join(', ');
  throw new ControlError(405, `${method} is not for ${pathname}; use ${methods}`);
}

function patternOf({ template }: Operation): RegExp {
  return new RegExp(`^${template.replaceAll('.', String.raw`\.`).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}

function sendFailure(response: ServerResponse, error: unknown): void {
  if (error instanceof ControlError) return send(response, error.status, { error: error.message });
  if (error instanceof ScriptError) return send(response, 400, { error: error.message });
  // Of a stream the head is out already.
  if (response.headersSent) response.destroy();
  else send(response, 500, { error: 'internal error of the receiver: see its output' });
  throw error;
}
