import { isObject } from '../../server/model/json-values.ts';
import { valueIn } from './body-value.ts';
import type { Recorded } from './recording.ts';
import { isCredential } from './credential-names.ts';
import { type Shape, shapeOf } from './shape.ts';

/** What differs from one request to the next by itself. */
const OF_ONE_REQUEST =
  /^(date|host|content-length|connection|keep-alive|transfer-encoding|traceparent|tracestate|.*-?timestamp|.*-id|webhook-id)$/;
/** Fields in which senders say what an event is. */
const KINDS = ['type', 'event_type', 'topic', 'action'] as const;

/** One value of a header for all requests, or that it has several. */
type HeaderValues = ReadonlyMap<string, { readonly name: string; readonly value: string | undefined }>;

/**
 * What changed from one recording of a sender to a later one, in words: kinds of events, headers, and the fields of
 * bodies. Values that differ from one request to the next by themselves are not compared.
 */
export function differences(before: readonly Recorded[], after: readonly Recorded[]): readonly string[] {
  const [earlier, later] = [Map.groupBy(before, kindOf), Map.groupBy(after, kindOf)];
  const kinds = [...new Set([...earlier.keys(), ...later.keys()])].toSorted();
  return kinds.flatMap((kind) => {
    const [old, now] = [earlier.get(kind), later.get(kind)];
    if (old === undefined) return [`${kind}: is new`];
    if (now === undefined) return [`${kind}: does not come any more`];
    return [...countDifferences(old, now), ...headerDifferences(old, now), ...bodyDifferences(old, now)].map(
      (words) => `${kind}: ${words}`,
    );
  });
}

/** What the event says that it is, or else the request. Forms hold events in a field that Slack and GitHub call so. */
function kindOf(request: Recorded): string {
  const value = valueIn(request);
  const events = isObject(value) ? [value, value['payload']].filter(isObject) : [];
  const said = events.flatMap((event) => KINDS.map((field) => event[field]));
  const kind = said.find((word) => typeof word === 'string');
  return kind ?? `${request.method} ${request.path.replace(/[?#].*$/s, '')}`;
}

function countDifferences(old: readonly Recorded[], now: readonly Recorded[]): readonly string[] {
  if (old.length === now.length) return [];
  return [`came ${timesText(old.length)}, now ${timesText(now.length)}`];
}

function timesText(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function headerDifferences(old: readonly Recorded[], now: readonly Recorded[]): readonly string[] {
  const [earlier, later] = [headersOf(old), headersOf(now)];
  const gone = [...earlier].filter(([key]) => !later.has(key)).map(([, { name }]) => `the header ${name} is gone`);
  const changed = [...later].flatMap(([key, { name, value }]) => {
    const was = earlier.get(key);
    if (was === undefined) return [`the header ${name} is new`];
    if (was.value === undefined || value === undefined || was.value === value) return [];
    return [`the header ${name} was ${JSON.stringify(was.value)}, is ${JSON.stringify(value)}`];
  });
  return [...gone, ...changed];
}

/**
 * Headers that any request has; a value where all have the same one, and it is neither of one request only nor a
 * credential: those are not for the eyes of whoever reads what changed, and a fixture holds them replaced.
 */
function headersOf(requests: readonly Recorded[]): HeaderValues {
  const found = new Map<string, { name: string; value: string | undefined }>();
  for (const { headers } of requests) {
    for (const [name, value] of headers) {
      const key = name.toLowerCase();
      const isOwn = OF_ONE_REQUEST.test(key) || isCredential(key);
      const known = found.get(key) ?? { name, value: isOwn ? undefined : value };
      found.set(key, known.value === value ? known : { name: known.name, value: undefined });
    }
  }
  return found;
}

function bodyDifferences(old: readonly Recorded[], now: readonly Recorded[]): readonly string[] {
  const [earlier, later] = [shapeOf(old), shapeOf(now)];
  const paths = [...new Set([...earlier.keys(), ...later.keys()])].toSorted();
  return paths.flatMap((path) => fieldDifferences(path, earlier, later));
}

function fieldDifferences(path: string, earlier: Shape, later: Shape): readonly string[] {
  const [was, is] = [earlier.get(path), later.get(path)];
  // What stands below a field that came or went is told by that field.
  const above = path.replace(/(\.[^.[\]]+|\[\])$/, '');
  const isBelow = above !== path && earlier.has(above) !== later.has(above);
  if (isBelow) return [];
  if (was === undefined) return [`the field ${path} is new`];
  if (is === undefined) return [`the field ${path} is gone`];
  const [old, now] = [[...was.types].toSorted().join(' or '), [...is.types].toSorted().join(' or ')];
  if (old !== now) return [`the field ${path} was ${old}, is ${now}`];
  if (was.isAlways !== is.isAlways) return [`the field ${path} was ${often(was.isAlways)}, is ${often(is.isAlways)}`];
  return [];
}

function often(isAlways: boolean): string {
  return isAlways ? 'always there' : 'there at times';
}
