/** A place that an event or a change passes: a function of the router, and what happens there. */
export interface Station {
  /** Below `server/`. */
  readonly file: string;
  readonly name: string;
  readonly what: string;
}

function at(file: string, name: string, what: string): Station {
  return { file, name, what };
}

/** One `track` call with its key in the body, from its socket to the record of its delivery, in this order. */
const TRACK: readonly Station[] = [
  at('ingestion/ingestion-api.ts', 'admit', 'looks for a write key in the header and the query'),
  at('http/admission.ts', 'enter', 'gives the body its share of memory'),
  at('http/body.ts', 'readBody', 'reads and inflates the body, up to its limit'),
  at('ingestion/lenient-json.ts', 'parseLenientJson', 'parses it'),
  at('ingestion/caller.ts', 'sourceOfCall', 'finds the source of the write key'),
  at('events/normalize-calls.ts', 'openEnvelope', 'what the request says for all of its calls'),
  at('events/pipeline.ts', 'receive', 'the pipeline begins'),
  at('events/normalize-calls.ts', 'normalizeCalls', 'each call becomes an event, or is dropped alone'),
  at('events/normalize.ts', 'reasonToDrop', 'what a call of its kind needs'),
  at('events/normalize.ts', 'normalize', 'ids, times, context and integrations in one form'),
  at('directory/workspace-directory.ts', 'source', 'what is done with events of this source, by the version of now'),
  at('events/suppress.ts', 'suppress', 'stage: drops events of suppressed users'),
  at('events/route.ts', 'route', 'to which destinations it goes'),
  at('events/accept.ts', 'accept', 'the one way into storage'),
  at('delivery/destination-queue.ts', 'accepts', 'whether it can be sent at once'),
  at('storage/file/deliveries/sqlite-storage.ts', 'accept', 'stored; the answer 200 follows'),
  at('delivery/dispatcher.ts', 'end', 'goes to the queue of its destination'),
  at('delivery/destination-queue.ts', 'reduce', 'what the queue does next'),
  at('delivery/scheduler.ts', 'next', 'whose turn it is'),
  at('delivery/courier.ts', 'carry', 'one round: a POST to each webhook'),
  at('directory/workspace-directory.ts', 'target', 'the webhooks, headers and secret of now'),
  at('delivery/webhook-request.ts', 'webhookBody', 'the body'),
  at('delivery/webhook-request.ts', 'requestTo', 'headers and signature'),
  at('delivery/undici-transport.ts', 'post', 'sent'),
  at('delivery/exchange.ts', 'onResponseStart', 'the status of the answer'),
  at('model/outcome.ts', 'outcomeOf', 'what the answer means'),
  at('delivery/recorder.ts', 'add', 'recorded, with others at once'),
];

/** A PATCH of one field. */
const PATCH: readonly Station[] = [
  at('http/connections.ts', 'take', 'one request of a connection after the other'),
  at('resources/lenient-input.ts', 'tidy', 'the path as clients write it'),
  at('resources/callers.ts', 'identify', 'whose token it is, and whether it may ask so often'),
  at('http/validation.ts', 'headersOf', 'the operation of the document, and its parameters'),
  at('http/body.ts', 'readBody', 'reads the body'),
  at('resources/lenient-input.ts', 'read', 'brings it into the spelling of the document'),
  at('http/validation.ts', 'accept', 'checks it against the document'),
  at('resources/kit.ts', 'update', 'the standard method, the same for all kinds'),
  at('resources/names.ts', 'nameOf', 'the name of what is to be changed'),
  at('resources/update-mask.ts', 'readMask', 'the fields that the mask names'),
  at('resources/destinations.ts', 'edit', 'what is special about this kind'),
  at('storage/file/resources/shard.ts', 'change', 'written with what else waits for this file'),
  at('resources/update-mask.ts', 'applyMask', 'the resource with these fields changed'),
  at('directory/workspace-directory.ts', 'apply', 'the directory learns of it, before the answer'),
  at('resources/destinations.ts', 'shownDestination', 'the resource as it is answered'),
  at('resources/entity-tag.ts', 'entityTag', 'the tag of this state'),
];

export const TOURS = { track: TRACK, patch: PATCH } as const;

/** The tour as ARCHITECTURE.md has it. */
export function tourText(tour: readonly Station[]): string {
  return tour.map(({ file, name, what }, index) => `${index + 1}. \`${file}\` \`${name}\`: ${what}`).join('\n');
}

/** The stations that nothing passed. */
export function notPassed(
  tour: readonly Station[],
  ran: readonly Pick<Station, 'file' | 'name'>[],
): readonly Station[] {
  const passed = new Set(ran.map(({ file, name }) => `${file} ${name}`));
  return tour.filter(({ file, name }) => !passed.has(`${file} ${name}`));
}
