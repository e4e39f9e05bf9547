/**
 * The address that a path means, or undefined when it is none of ingestion's. Hosts are often set with a `/v1` too many
 * or too few, or with `/batch` at the end, and SDKs add their own path to that: doubled or missing, such segments make no
 * difference, nor do slashes. `known` holds the first segment below `/v1/` of every address there is; what is not below
 * `/v1` has to begin with one of them, so that the paths of others stay theirs.
 */
export function addressOf(path: string, known: ReadonlySet<string>): string | undefined {
  // Most are sent as the document has them: one known segment below `/v1/`.
  const only = path.startsWith('/v1/') ? path.slice(4) : '';
  if (known.has(only) && !PREFIXES.has(only)) return path;
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
