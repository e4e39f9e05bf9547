import { getResponse, http, type HttpHandler } from 'msw';
import { createMswHandlers, type MswHandlerFactories } from '../../../generated/runtime/msw.gen.ts';
import type { Clock } from '../../../server/ports/clock.ts';
import { refuseUnclear, refuseUndefined, refuseUnknown } from '../../receiver/known-names.ts';
import { systemClock } from '../../receiver/system-clock.ts';
import { type Resource, Resources } from '../../stand-in/resources.ts';
import { StandIn, tidy } from '../../stand-in/stand-in.ts';

type OperationId = keyof MswHandlerFactories;

export interface ConfigApiOptions {
  /** Where the router would listen; default `http://127.0.0.1:8080`. */
  readonly baseUrl?: string;
  /** The first access token, which may do anything; default `testbed-token`. */
  readonly token?: string;
  /** The slug of the workspace that is there from the start; default `main`. */
  readonly workspace?: string;
  /** What ids, keys and tokens are drawn from; default 1. */
  readonly seed?: number;
  readonly clock?: Pick<Clock, 'now'>;
  /** Answers of one's own, by operation, typed from the contract: a body, or a resolver of MSW. They come first. */
  readonly answers?: { readonly [Id in OperationId]?: Parameters<MswHandlerFactories[Id]>[0] };
}

/** A request that was answered, or refused, by the stand-in. */
export interface ConfigApiCall {
  /** Undefined for what is no operation of the contract. */
  readonly operation: OperationId | undefined;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly status: number;
}

export interface ConfigApi {
  readonly baseUrl: string;
  readonly token: string;
  /** For `setupServer(...handlers)`. */
  readonly handlers: readonly HttpHandler[];
  /** Every request so far, in order of arrival. */
  readonly calls: readonly ConfigApiCall[];
  /**
   * Makes a resource as the first token would, `add('workspaces/main/sources', { name: … })`, and answers it; rejects with
   * the API's own words when it is refused.
   */
  readonly add: (collection: string, resource: object) => Promise<Resource>;
  /** A resource as the API shows it; undefined when there is none. */
  readonly get: (name: string) => Promise<Resource | undefined>;
  /** All of a collection, `list('workspaces/main/sources')`, in order of creation. */
  readonly list: (collection: string) => Promise<readonly Resource[]>;
  /** Calls as an SDK sends them, `send('workspaces/main/sources/web', { type: 'track', … })`: their deliveries wait, as nothing is sent. */
  readonly send: (source: string, ...calls: object[]) => Promise<void>;
  /** Makes a user known in a workspace. */
  readonly addUser: (workspace: string, user: string, traits?: Readonly<Record<string, unknown>>) => Promise<void>;
  /** What a router does in the background: syncs of audiences and computed traits, replays, regulations. Resolves when it is done. */
  readonly work: () => Promise<void>;
}

const OF_CONFIG_API = [
  'baseUrl',
  'token',
  'workspace',
  'seed',
  'clock',
  'answers',
] as const satisfies readonly (keyof ConfigApiOptions)[];

/**
 * The Config API as MSW handlers: the operations of the router themselves, over its storage in memory. For tests of code
 * that manages Waybill, without a server.
 */
export function configApiHandlers(options: ConfigApiOptions = {}): ConfigApi {
  refuseUnknown('configApiHandlers', options, OF_CONFIG_API);
  refuseUndefined('', options, ['answers']);
  const { baseUrl = 'http://127.0.0.1:8080', token = 'testbed-token', workspace = 'main', seed = 1 } = options;
  const { clock = systemClock, answers = {} } = options;
  const base = baseUrl.replace(/\/+$/, '');
  const opening = StandIn.open({ token, workspace, seed, clock: clockOf(clock) });
  // Whoever asks is told.
  opening.catch(() => undefined);
  const calls: ConfigApiCall[] = [];
  const resources = new Resources(async (request) => (await (await opening).answer(request)).response, token);
  return {
    baseUrl: base,
    token,
    handlers: [http.all(`${base}/*`, answerer({ opening, given: handlersOf(base, answers), calls }))],
    calls,
    add: (collection, resource) => resources.add(collection, resource),
    get: (name) => resources.get(name),
    list: (collection) => resources.list(collection),
    send: async (source, ...sent) => (await opening).send(source, sent),
    addUser: async (name, user, traits = {}) => (await opening).addUser(name, user, { traits }),
    work: async () => (await opening).work(),
  };
}

/** Of the operations that have an answer of one's own; what those do not answer is passed on. */
function handlersOf(baseUrl: string, answers: NonNullable<ConfigApiOptions['answers']>): readonly HttpHandler[] {
  const { all, pick } = createMswHandlers({ baseUrl });
  refuseUnclear('The option answers', answers, Object.keys(pick));
  const passedOn = Object.fromEntries(Object.keys(pick).map((id) => [id, () => undefined]));
  return Object.keys(answers).length === 0 ? [] : all({ pick: { ...passedOn, ...answers } });
}

interface Answerer {
  readonly opening: Promise<StandIn>;
  readonly given: readonly HttpHandler[];
  readonly calls: ConfigApiCall[];
}

function answerer({ opening, given, calls }: Answerer) {
  return async ({ request }: { readonly request: Request }): Promise<Response | undefined> => {
    const { pathname, search } = new URL(request.url);
    if (!/^(?:.*\/)?v1beta(?:\/|$)/.test(tidy(pathname))) return undefined;
    const own = given.length === 0 ? undefined : await getResponse([...given], tidied(request));
    if (own !== undefined) return own;
    const standIn = await opening;
    const { operation, response } = await standIn.answer(request);
    calls.push({
      operation: isOperation(operation) ? operation : undefined,
      method: request.method,
      path: pathname + search,
      status: response.status,
    });
    return response;
  };
}

function isOperation(id: string | undefined): id is OperationId {
  return id !== undefined && Object.hasOwn(createMswHandlers().pick, id);
}

function tidied(request: Request): Request {
  const url = new URL(request.url);
  url.pathname = tidy(url.pathname);
  return new Request(url, request.clone());
}

/** Sleeps by the machine: nothing of the stand-in sleeps unless it is watched. */
function clockOf({ now }: Pick<Clock, 'now'>): Clock {
  return { now, steady: now, sleep: (ms, signal) => systemClock.sleep(ms, signal) };
}
