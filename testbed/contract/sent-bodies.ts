import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { parse } from '../../client/webhooks/parse.ts';

/** What was wrong with the bodies that routers sent, whoever received them. */
export interface SentBodies {
  /** The breaches since this was last asked, each once. */
  takeBreaches(): readonly string[];
  stop(): void;
}

/** What the channels below publish; only these parts are read. */
type Sent = { readonly request: { readonly headers: readonly string[]; readonly body: unknown } };
type Arrived = { readonly request: IncomingMessage };
type Told = { readonly userAgent: string | undefined; readonly body: Uint8Array };

const sentWithoutSockets = channel('waybill:sent-without-sockets');

/** For what takes the place of sockets: it is heard by whoever watches, and costs nothing when nobody does. */
export function tellSentBody(userAgent: string | undefined, body: Uint8Array): void {
  if (sentWithoutSockets.hasSubscribers) sentWithoutSockets.publish({ userAgent, body } satisfies Told);
}

/**
 * Holds every webhook body to the contract (HOOK-12): those that a router in this process sends, over sockets or
 * without, and those that come to any HTTP server in this process from a router outside. Receivers need not know.
 */
export function watchSentBodies(): SentBodies {
  const breaches = new Set<string>();
  const judge = (body: Uint8Array): void => {
    const breach = breachOf(body);
    if (breach !== undefined) breaches.add(breach);
  };
  const onSent = heard<Sent>(({ request: { headers, body } }) => {
    // A router sends bytes; a body of another kind is that of a test, and is judged where it arrives.
    if (body instanceof Uint8Array && isRouter(userAgentIn(headers))) judge(body);
  });
  const onTold = heard<Told>(({ userAgent, body }) => {
    if (isRouter(userAgent)) judge(body);
  });
  const onArrived = heard<Arrived>(({ request }) => {
    if (isRouter(request.headers['user-agent'])) overhear(request, judge);
  });
  const listeners = [
    ['undici:request:create', onSent],
    [sentWithoutSockets.name, onTold],
    ['http.server.request.start', onArrived],
  ] as const;
  for (const [name, listener] of listeners) subscribe(name, listener);
  return {
    takeBreaches: () => {
      const taken = [...breaches];
      breaches.clear();
      return taken;
    },
    stop: () => {
      for (const [name, listener] of listeners) unsubscribe(name, listener);
    },
  };
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it says what the channel publishes
function heard<Message>(listener: (message: Message) => void): (message: unknown) => void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a channel publishes is untyped
  return (message) => listener(message as Message);
}

/** What is wrong with a body, in words that quote it; undefined when it is one of the contract. */
export function breachOf(body: Uint8Array): string | undefined {
  const parsed = parse(body);
  if (parsed.kind === 'event') return undefined;
  const problem =
    parsed.kind === 'invalid' ? parsed.problem : `type ${JSON.stringify(parsed.type)} is not in the contract`;
  return `${problem}: ${Buffer.from(body).toString('utf8', 0, QUOTED_BYTES)}`;
}

const QUOTED_BYTES = 500;

/** Whoever else posts to a receiver may send what it likes (HOOK-4). */
function isRouter(userAgent: string | undefined): boolean {
  return userAgent?.startsWith('Waybill/') === true;
}

/** Among names and values in turn, as undici keeps them. */
function userAgentIn(headers: readonly string[]): string | undefined {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'user-agent');
  return at < 0 ? undefined : headers[at + 1];
}

/** Reads along: a listener for `data` would take the body away from the server that it is for. */
function overhear(request: IncomingMessage, onBody: (body: Uint8Array) => void): void {
  const chunks: Uint8Array[] = [];
  const push = request.push.bind(request);
  request.push = (chunk: unknown, encoding) => {
    if (chunk instanceof Uint8Array) chunks.push(chunk);
    else if (chunk === null && request.complete) onBody(Buffer.concat(chunks));
    return push(chunk, encoding);
  };
}
