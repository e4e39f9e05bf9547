import type { operations } from '../../generated/receiver-control.d.ts';
import { Complaint } from '../fault-script/script-error.ts';
import { checkScript } from '../fault-script/script.ts';
import type { Duration } from '../fault-script/step.ts';
import { milliseconds, normalDuration } from '../fault-script/units.ts';
import { harOf } from '../recording/har.ts';
import { type Filter, matches } from '../receiver/journal.ts';
import type { EndpointView, Receiver } from '../receiver/receiver.ts';
import type { Received } from '../receiver/received.ts';
import { ControlError } from './control-error.ts';
import type { Document, OperationId } from './document.ts';
import { newsOf } from './news.ts';
import { countOf, endpointView, receiverView, requestView } from './views.ts';

type Query<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;
type Path<Id extends OperationId> = NonNullable<operations[Id]['parameters']['path']>;
type Content<Id extends OperationId> = operations[Id]['responses'][200]['content'];
/** What is answered as JSON, or the messages of a stream. */
type Answer<Id extends OperationId> =
  Content<Id> extends { readonly 'application/json': infer Body }
    ? Body
    : Content<Id> extends { readonly 'text/event-stream': infer Message }
      ? AsyncIterable<Message>
      : never;

/** One request of one operation, its parameters read as the document says. */
export interface Call<Id extends OperationId> {
  readonly query: Query<Id>;
  readonly path: Path<Id>;
  /** The body as JSON; undefined when there was none. */
  readonly body: unknown;
  /** Aborts when the caller has hung up. */
  readonly over: AbortSignal;
}

/** A handler for each operation of the document. Total on purpose: a new operation does not compile without one. */
export type Handlers = {
  readonly [Id in OperationId]: (call: Call<Id>) => Answer<Id> | Promise<Answer<Id>>;
};

const MAX_WAIT_MS = 600_000;

export function createHandlers(receiver: Receiver, document: Document): Handlers {
  const listOf = (requests: readonly Received[]) => ({
    requests: requests.map((request) => requestView(request, receiver.answerTo(request))),
    received: countOf(receiver),
  });
  return {
    getReceiver: () => receiverView(receiver),
    getScript: ({ query }) => endpointView(endpointOf(receiver, query.endpoint)),
    putScript: ({ query, body }) => {
      // Found first: an endpoint that is not there is not the script's fault.
      endpointOf(receiver, query.endpoint);
      receiver.setScript(scriptIn(body), query.endpoint);
      return endpointView(endpointOf(receiver, query.endpoint));
    },
    listRequests: ({ query: { after = 0, limit = 100, ...filter } }) => {
      const wanted = known(receiver, filter);
      const found = receiver.received.filter((each) => each.number > after && matches(each, wanted));
      return listOf(found.slice(0, limit));
    },
    getRequest: ({ path: { number }, query: { bodyLimit } }) => {
      const found = requestOf(receiver, number);
      return requestView(found, receiver.answerTo(found), bodyLimit);
    },
    replayRequest: async ({ path: { number }, body }) => {
      const request = requestOf(receiver, number);
      const to = targetIn(body);
      const { answer, ms, isSigned } = await receiver.resend(request, to);
      return { to, isSigned, ms, ...(typeof answer === 'number' ? { status: answer } : { failure: answer }) };
    },
    streamNews: ({ over }) => newsOf(receiver, over),
    waitForRequests: async (call) => listOf(await waitFor(receiver, call)),
    reset: () => {
      receiver.reset();
      return receiverView(receiver);
    },
    getArchive: () => harOf(receiver.received, receiver.url, (request) => receiver.answerTo(request)),
    getDocument: () => ({ ...document }),
  };
}

async function waitFor(
  receiver: Receiver,
  { query: { count = 1, within = '5s', ...filter }, over }: Call<'waitForRequests'>,
): Promise<readonly Received[]> {
  const wanted = { ...known(receiver, filter), count, within: durationIn(within), signal: over };
  return receiver.waitFor(wanted).catch((error: unknown) => {
    throw new ControlError(504, error instanceof Error ? error.message : String(error), { cause: error });
  });
}

/** A filter whose endpoint is there: else a slip of the pen would wait in vain. */
function known(receiver: Receiver, filter: Filter): Filter {
  if (filter.endpoint !== undefined) endpointOf(receiver, filter.endpoint);
  return filter;
}

function requestOf(receiver: Receiver, number: number): Received {
  const found = receiver.received.find((each) => each.number === number);
  if (found !== undefined) return found;
  const [oldest] = receiver.received;
  const came = `${countOf(receiver)} came so far`;
  const gone =
    oldest === undefined || number >= oldest.number ? '' : `, and those before ${oldest.number} are not kept`;
  throw new ControlError(404, `There is no request ${number}; ${came}${gone}`);
}

function targetIn(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('to' in body) || Object.keys(body).length > 1)
    throw new ControlError(400, 'The body is no {"to": …}; give the URL that the request goes to');
  const { to } = body;
  if (typeof to === 'string' && /^https?:$/.test(URL.parse(to)?.protocol ?? '')) return to;
  throw new ControlError(400, `to is ${JSON.stringify(to)}; give a whole http or https URL`);
}

function endpointOf({ endpoints }: Receiver, path: string | undefined): EndpointView {
  const found = endpoints.find((endpoint) => endpoint.path === path);
  if (found !== undefined) return found;
  const paths = endpoints.flatMap((endpoint) => endpoint.path ?? []);
  const all = paths.length === 0 ? 'the receiver has none' : `there are ${paths.join(', ')}`;
  throw new ControlError(404, `There is no endpoint ${JSON.stringify(path)}; ${all}`);
}

function scriptIn(body: unknown): Parameters<Receiver['setScript']>[0] {
  if (typeof body !== 'object' || body === null || !('script' in body) || Object.keys(body).length > 1)
    throw new ControlError(
      400,
      'The body is no {"script": …}; give a short form such as "503x2,200", or a list of steps',
    );
  return typeof body.script === 'string' ? body.script : checkScript(body.script);
}

function durationIn(text: string): Duration {
  try {
    const duration = normalDuration(text);
    if (milliseconds(duration) <= MAX_WAIT_MS) return duration;
  } catch (error) {
    if (error instanceof Complaint) throw new ControlError(400, `within: ${error.message}`, { cause: error });
    throw error;
  }
  throw new ControlError(400, `within is ${text}; wait for ten minutes at most`);
}
