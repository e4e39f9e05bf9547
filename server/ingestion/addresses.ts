import type { PlainRequest } from '../http/asked.ts';
import { type Document, type Method, operationsOf } from '../http/document.ts';
import { type Api, type Steps, stepsOf } from '../http/operation-steps.ts';
import { createValidation } from '../http/validation.ts';

/** An operation, and how its answer is typed. */
interface Served {
  readonly steps: Steps<PlainRequest>;
  readonly answerType: string;
}

/** One address: its operations by their methods, in lower case. */
type Place = ReadonlyMap<string, Served>;

interface Found {
  readonly place: Place;
  /** As the document writes it. */
  readonly template: string;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Every operation of the document by its address. Most addresses are looked up as they are: an event is not worth a walk
 * through patterns.
 */
export function createAddresses<Operations, Caller>(
  api: Api<Operations, Caller, PlainRequest>,
): (path: string) => Found | undefined {
  const fixed = new Map<string, Found>();
  const patterns: { readonly segments: readonly Segment[]; readonly place: Place; readonly template: string }[] = [];
  for (const [template, place] of placesOf(api)) {
    if (template.includes('{')) patterns.push({ segments: template.split('/').map(segmentOf), place, template });
    else fixed.set(template, { place, template, params: {} });
  }
  return (path) => {
    const known = fixed.get(path);
    if (known !== undefined) return known;
    const segments = path.split('/');
    for (const { segments: wanted, place, template } of patterns) {
      const params = paramsOf(wanted, segments);
      if (params !== undefined) return { place, template, params };
    }
    return undefined;
  };
}

/** What the log is told of an address: write keys stand in some (SAFE-3), and a stranger chooses how long one is (SAFE-1). */
export function shownAddress(found: Found | undefined): string {
  return found?.template ?? '/v1/…';
}

function placesOf<Operations, Caller>(api: Api<Operations, Caller, PlainRequest>): Map<string, Map<Method, Served>> {
  const validation = createValidation(api.document);
  const places = new Map<string, Map<Method, Served>>();
  for (const operation of operationsOf(api.document)) {
    const { template, method, answerType } = operation;
    const place = places.get(template) ?? new Map<Method, Served>();
    places.set(template, place.set(method, { steps: stepsOf(api, operation, validation), answerType }));
  }
  return places;
}

/** A segment of a template: a text, or the name of a parameter. */
type Segment = { readonly text: string } | { readonly name: string };

function segmentOf(written: string): Segment {
  const [, name] = /^\{(\w+)\}$/.exec(written) ?? [];
  return name === undefined ? { text: written } : { name };
}

function paramsOf(wanted: readonly Segment[], segments: readonly string[]): Record<string, string> | undefined {
  if (wanted.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const given = segments[index] ?? '';
    if ('text' in segment) {
      if (given !== segment.text) return undefined;
    } else if (given === '') return undefined;
    else params[segment.name] = decoded(given);
  }
  return params;
}

/** What is no encoded text is taken as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The first segments below `/v1/` of all addresses. */
export function firstSegments(document: Document): ReadonlySet<string> {
  return new Set(operationsOf(document).map(({ template }) => firstOf(template)));
}

/** The first segment below `/v1/`. */
export function firstOf(address: string): string {
  return address.split('/', 3)[2] ?? '';
}

/**
 * The address that a path means, or undefined when it is none of ingestion's. Hosts are often set with a `/v1` too many
 * or too few, or with `/batch` at the end, and SDKs add their own path to that: doubled or missing, such segments make no
 * difference, nor do slashes. `known` holds the first segment below `/v1/` of every address there is; what is not below
 * `/v1` has to begin with one of them, so that the paths of others stay theirs.
 */
export function addressOf(path: string, known: ReadonlySet<string>): string | undefined {
  // Most are sent as the document has them: one known segment below `/v1/`.
  if (path.startsWith('/v1/') && known.has(path.slice(4))) return path;
  const segments = path.split('/').filter((segment) => segment !== '');
  const [first, ...others] = segments;
  if (first === undefined || (first === 'v1' && others.length === 0)) return undefined;
  if (first !== 'v1' && !known.has(first)) return undefined;
  return `/v1/${withoutPrefixes(segments, known).join('/')}`;
}

/** The segments that a host can have been set with although SDKs add them. */
const PREFIXES: ReadonlySet<string> = new Set(['v1', 'batch', 'projects']);

/** Drops a leading segment for as long as a whole address still follows it. */
function withoutPrefixes(segments: readonly string[], known: ReadonlySet<string>): readonly string[] {
  let at = 0;
  const isPrefix = (segment = '', next?: string): boolean => PREFIXES.has(segment) && startsAddress(next ?? '', known);
  while (at + 1 < segments.length && isPrefix(segments[at], segments[at + 1])) at += 1;
  return segments.slice(segments[at] === 'v1' ? at + 1 : at);
}

function startsAddress(segment: string, known: ReadonlySet<string>): boolean {
  return segment === 'v1' || known.has(segment);
}
