import type { Budget } from '../evaluation/budget.ts';
import { indexOfCodes } from './search.ts';

/** Code points from one to another, in pairs: what one place of a pattern takes when it is no single character. */
type Ranges = readonly number[];

const ANY: Ranges = [0, 0x10_ff_ff];

/** What stands between two `*`: each place takes one character. */
interface Segment {
  readonly places: readonly (number | Ranges)[];
  /** Set when every place is a character itself. */
  readonly literal: readonly number[] | undefined;
}

/**
 * Whether a pattern describes the whole text: `*` any run, `?` any one character, `[abc]` and `[a-z]` one of them, `\x`
 * the character x. Case counts. Each segment is taken where it first stands, so the time grows with the sum of both
 * lengths; of segments with `?` or `[…]`, which may compare a place again and again, each comparison is paid for.
 */
export function matchesGlob(text: string, pattern: string, budget: Budget): boolean {
  budget.spend(text.length + 8 * pattern.length);
  const codes = codePointsOf(text);
  const segments = segmentsOf(codePointsOf(pattern));
  const [first = EMPTY, ...rest] = segments;
  const last = rest.pop();
  if (last === undefined) return first.places.length === codes.length && standsAt(first, codes, 0, budget);
  const end = codes.length - last.places.length;
  if (first.places.length > end || !standsAt(first, codes, 0, budget) || !standsAt(last, codes, end, budget))
    return false;
  const inner = codes.subarray(0, end);
  let at = first.places.length;
  for (const segment of rest) {
    const found = find(segment, inner, at, budget);
    if (found === undefined) return false;
    at = found + segment.places.length;
  }
  return true;
}

const EMPTY: Segment = { places: [], literal: [] };

function find(segment: Segment, codes: Uint32Array, from: number, budget: Budget): number | undefined {
  if (segment.literal !== undefined) return indexOfCodes(codes, segment.literal, from, budget);
  for (let at = from; at + segment.places.length <= codes.length; at += 1) {
    if (standsAt(segment, codes, at, budget)) return at;
  }
  return undefined;
}

function standsAt({ places }: Segment, codes: Uint32Array, at: number, budget: Budget): boolean {
  let steps = 1;
  let index = 0;
  for (; index < places.length; index += 1) {
    const [place, code = -1] = [places[index] ?? ANY, codes[at + index]];
    steps += typeof place === 'number' ? 1 : place.length;
    if (typeof place === 'number' ? place !== code : !isIn(place, code)) break;
  }
  budget.spend(steps);
  return index === places.length;
}

function isIn(ranges: Ranges, code: number): boolean {
  for (let at = 0; at < ranges.length; at += 2) {
    if (code >= (ranges[at] ?? 0) && code <= (ranges[at + 1] ?? 0)) return true;
  }
  return false;
}

/** Split at each `*`; a pattern without one is a single segment. */
function segmentsOf(pattern: Uint32Array): Segment[] {
  const segments: Segment[] = [];
  let places: (number | Ranges)[] = [];
  const close = (): void => {
    segments.push({ places, literal: places.every((place) => typeof place === 'number') ? places : undefined });
    places = [];
  };
  // Behind the last `]` no `[` opens anything: nothing is looked for in vain.
  const lastClose = pattern.lastIndexOf(CLOSE);
  for (let at = 0; at < pattern.length; at += 1) {
    const code = pattern[at] ?? 0;
    const end = code === OPEN && at + 2 <= lastClose ? pattern.indexOf(CLOSE, at + 2) : -1;
    if (code === STAR) close();
    else if (code === QUESTION) places.push(ANY);
    else if (end > 0) {
      places.push(rangesOf(pattern.subarray(at + 1, end)));
      at = end;
    } else {
      if (code === BACKSLASH && at + 1 < pattern.length) at += 1;
      places.push(pattern[at] ?? 0);
    }
  }
  close();
  return segments;
}

const [STAR, QUESTION, OPEN, CLOSE, BACKSLASH, DASH] = [0x2a, 0x3f, 0x5b, 0x5d, 0x5c, 0x2d] as const;

function rangesOf(members: Uint32Array): number[] {
  const ranges: number[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const from = members[at] ?? 0;
    const to = members[at + 1] === DASH ? members[at + 2] : undefined;
    ranges.push(from, to ?? from);
    if (to !== undefined) at += 2;
  }
  return ranges;
}

function codePointsOf(text: string): Uint32Array {
  const codes = new Uint32Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    codes[length] = code;
    length += 1;
    if (code > 0xff_ff) at += 1;
  }
  return codes.subarray(0, length);
}
