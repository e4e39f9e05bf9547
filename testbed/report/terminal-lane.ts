import type { Paint } from '../command-line/colors.ts';
import type { Colors } from '../command-line/colors.ts';
import { KIND_LOOKS, KINDS, kindOf } from './kind.ts';
import type { Kind } from './kind.ts';
import type { Lane, Span } from './picture.ts';

export const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** A row of the picture, a column for each stretch of time. */
export interface Columns {
  readonly durationMs: number;
  readonly width: number;
}

function paintOf(kind: Kind, colors: Colors): Paint {
  const paints: { readonly [K in Kind]: Paint } = {
    delivered: colors.green,
    refused: colors.magentaBright,
    limited: colors.magenta,
    'server-error': colors.yellowBright,
    timeout: colors.yellow,
    unreachable: colors.red,
    tls: colors.blueBright,
  };
  return paints[kind];
}

/**
 * The attempts of a lane, two rows: how many got through, and below, how many did not; the taller the bar, the more. A
 * row of its own for what failed keeps one failure among a hundred successes in sight.
 */
export function attemptRows(lane: Lane, columns: Columns, colors: Colors): readonly string[] {
  const cells = cellsOf(lane, columns);
  const most = Math.max(1, ...cells.map(({ well }) => well), ...cells.map(({ ill }) => ill.length));
  const wellRow = cells.map(({ well }) => (well === 0 ? ' ' : colors.green(bar(well, most))));
  const illRow = cells.map(({ ill }) => {
    const kind = commonest(ill);
    return kind === undefined ? ' ' : strokeOf(kind, colors, bar(ill.length, most));
  });
  return [wellRow.join(''), illRow.join('')];
}

/** Where there are no colors, kinds are told apart by their signs. */
export function strokeOf(kind: Kind, colors: Colors, stroke: string): string {
  return colors.isColorSupported ? paintOf(kind, colors)(stroke) : KIND_LOOKS[kind].sign;
}

/** A stroke where a span covers a column, in part at least. */
export function spanRow(spans: readonly Span[], { durationMs, width }: Columns, stroke: string): string {
  return Array.from({ length: width }, (_, index) => {
    const [from, to] = [(index * durationMs) / width, ((index + 1) * durationMs) / width];
    return spans.some((span) => span.from < to && span.to > from) ? stroke : ' ';
  }).join('');
}

/** A line of bars for counts, the largest of them as tall as can be; nothing where there is nothing. */
export function countRow(counts: readonly number[], most: number): string {
  return counts.map((count) => (count === 0 ? ' ' : bar(count, most))).join('');
}

function cellsOf(
  { tracks }: Lane,
  { durationMs, width }: Columns,
): { readonly well: number; readonly ill: readonly Kind[] }[] {
  const kinds = tracks.flatMap(({ marks }) => marks).map(({ at, outcome }) => ({ at, kind: kindOf(outcome) }));
  const byColumn = Map.groupBy(kinds, ({ at }) => Math.min(width - 1, Math.floor((at * width) / durationMs)));
  return Array.from({ length: width }, (_, index) => {
    const here = (byColumn.get(index) ?? []).map(({ kind }) => kind);
    const ill = here.filter((kind) => kind !== 'delivered');
    return { well: here.length - ill.length, ill };
  });
}

function commonest(kinds: readonly Kind[]): Kind | undefined {
  const counts = KINDS.map((kind) => [kind, kinds.filter((each) => each === kind).length] as const);
  const [first] = counts.filter(([, count]) => count > 0).toSorted((a, b) => b[1] - a[1]);
  return first?.[0];
}

function bar(count: number, most: number): string {
  return BARS[Math.min(BARS.length - 1, Math.ceil((count / most) * BARS.length) - 1)] ?? ' ';
}
