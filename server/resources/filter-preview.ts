import type { components } from '../../generated/config-api.d.ts';
import { inTurn } from '../fairness/turns.ts';
import { chainOf } from '../filters/chain.ts';
import { readFilter } from '../filters/filters.ts';
import { ApiError } from '../http/errors.ts';
import type { Draft } from '../events/normalize.ts';
import { CALL_TYPES, type Event, type JsonObject } from '../model/message.ts';
import { isObject, objectOf, wordOf } from '../model/json-values.ts';
import { parseLenientJson } from '../ingestion/lenient-json.ts';
import { EVENT_BYTES, EVENT_DEPTH, isTooDeep } from '../events/event-limits.ts';

import { type Caller, turnsOfPreviews } from './callers.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { makeFilter } from './filters.ts';

type Schemas = components['schemas'];

/** Samples are drawn by the filter's name: always this one, so that the same preview comes to the same. */
const NAME = 'preview';

export function filterPreviewHandlers(env: Env): Pick<ConfigHandlers, 'previewFilter'> {
  return { previewFilter: ({ body, caller }) => preview(body, caller, env) };
}

/**
 * What a filter, alone and as if it were enabled, makes of an event, by the code and the budgets of routing and delivery.
 * What cannot be decided is told here, and counted nowhere: no filter that is stored has failed.
 */
async function preview(
  { filter, input }: Schemas['PreviewFilter'],
  caller: Caller,
  { clock, turns }: Pick<Env, 'clock' | 'turns'>,
): Promise<Schemas['FilterPreview']> {
  let undecided = false;
  const own = turnsOfPreviews(turns, caller);
  const note = (): void => {
    undecided = true;
  };
  const tried = readFilter({ ...makeFilter(filter, NAME), name: NAME });
  const { admits, reshape } = chainOf([tried], { add: note });
  const event = readInput(input, clock.now());
  const isIn = admits === undefined || (await inTurn(own, (budget) => admits(event, budget)));
  if (!isIn) return { dropped: true, undecided };
  const shaped = reshape === undefined ? event : await inTurn(own, (budget) => reshape(event, budget));
  return { dropped: false, output: JSON.stringify(shaped), undecided };
}

const TYPES = [...CALL_TYPES, 'delete'] as const;
const WORDS = ['userId', 'anonymousId', 'groupId', 'previousId', 'event', 'name', 'category'] as const;
const TIMES = ['originalTimestamp', 'sentAt'] as const;
const OBJECTS = ['properties', 'traits', 'integrations'] as const;

/**
 * The event that a preview is about. Its fields are read as ingestion reads them, but it need not be complete: people try
 * a condition on the few fields that it looks at. What every stored event has is added.
 */
export function readInput(text: string, now: number): Event {
  const input = readObject(text);
  const time = new Date(now).toISOString();
  const draft: Draft = {
    type: typeOf(input),
    messageId: wordOf(input['messageId']) ?? 'preview',
    context: objectIn(input, 'context') ?? {},
    timestamp: wordOf(input['timestamp']) ?? time,
    receivedAt: wordOf(input['receivedAt']) ?? time,
  };
  for (const key of [...WORDS, ...TIMES]) {
    const word = wordOf(input[key]);
    if (word !== undefined) draft[key] = word;
  }
  for (const key of OBJECTS) {
    const object = objectIn(input, key);
    if (object !== undefined) draft[key] = object;
  }
  return draft;
}

function readObject(text: string): JsonObject {
  const bytes = Buffer.byteLength(text);
  if (bytes > EVENT_BYTES) throw invalid(`is ${bytes} bytes of at most ${EVENT_BYTES}`);
  const input = parse(text);
  if (!isObject(input)) throw invalid('must be the JSON text of an object');
  if (isTooDeep(input)) throw invalid(`is nested deeper than ${EVENT_DEPTH} levels`);
  return input;
}

function parse(text: string): unknown {
  try {
    return parseLenientJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalid(`is not valid JSON: ${error.message.slice(0, 200)}`);
  }
}

function typeOf({ type = 'track' }: JsonObject): Event['type'] {
  const known = TYPES.find((one) => one === type);
  if (known !== undefined) return known;
  throw invalid(`must have one of these as its type: ${TYPES.join(', ')}, got ${JSON.stringify(type).slice(0, 80)}`);
}

function objectIn(input: JsonObject, key: string): JsonObject | undefined {
  const object = objectOf(input[key]);
  if (object !== 'no object') return object;
  throw new ApiError('InvalidArgument', `input.${key} must be an object`);
}

function invalid(what: string): ApiError {
  return new ApiError('InvalidArgument', `input ${what}`);
}
