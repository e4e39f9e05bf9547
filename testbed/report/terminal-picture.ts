import type { Colors } from '../command-line/colors.ts';
import { fitted } from '../command-line/text-width.ts';
import { KIND_LOOKS, KINDS, kindOf } from './kind.ts';
import type { Lane, Picture } from './picture.ts';
import { attemptRows, countRow, spanRow, strokeOf } from './terminal-lane.ts';
import type { Columns } from './terminal-lane.ts';
import { axisStep, clockText, spanText } from './time-text.ts';
import { backlogOf, totalsOf } from './totals.ts';

const LABEL = 14;
const NARROWEST = 40;
/** More lanes than these are told in one line. */
const SHOWN_LANES = 6;

/** A rehearsal as a picture for a terminal of that many columns. */
export function terminalPicture(picture: Picture, colors: Colors, width: number): readonly string[] {
  const columns: Columns = { durationMs: picture.durationMs, width: Math.max(NARROWEST, width - LABEL - 1) };
  const more = picture.lanes.length - SHOWN_LANES;
  return [
    ...heading(picture, colors, width),
    row('', axisRow(columns), colors.dim),
    row('', tickRow(columns), colors.dim),
    row('outage', spanRow([picture.outage], columns, '▒'), colors.red),
    ...picture.lanes.slice(0, SHOWN_LANES).flatMap((lane) => laneRows(lane, columns, colors)),
    ...(more > 0 ? [row('', `and ${more} more`, colors.dim)] : []),
    '',
    ...waitingRows(picture, columns, colors),
    legend(picture, colors),
    ...figures(picture, colors),
  ];
}

function heading({ title, story, expects, label, seed }: Picture, colors: Colors, width: number): readonly string[] {
  const line = (name: string, text: string) =>
    wrapped(text, width - LABEL - 1).map(
      (part, index) => `${colors.dim((index === 0 ? name : '').padEnd(LABEL))} ${part}`,
    );
  return [
    `${colors.bold(title)}${colors.dim(`  ${label}, seed ${seed}`)}`,
    ...line('happens', story),
    ...line('expected', expects),
    '',
  ];
}

function wrapped(text: string, width: number): readonly string[] {
  return text.split(' ').reduce<readonly string[]>((lines, word) => {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) return [...lines, word];
    return [...lines.slice(0, -1), `${last} ${word}`];
  }, []);
}

/** Empty when nothing had to wait. */
function waitingRows(picture: Picture, columns: Columns, colors: Colors): readonly string[] {
  const counts = backlogOf(picture, columns.width);
  const most = Math.max(...counts);
  if (most === 0) return [];
  return [row('waiting', countRow(counts, most), colors.cyan), row('', `at most ${most} at a time`, colors.dim), ''];
}

function laneRows(lane: Lane, columns: Columns, colors: Colors): readonly string[] {
  const [well = '', ill = ''] = attemptRows(lane, columns, colors);
  const { host, pathname } = new URL(lane.webhook);
  const parked = lane.parked.length === 0 ? [] : [row('parked', spanRow(lane.parked, columns, '━'), colors.cyan)];
  return ['', row(host + pathname, well), row('', ill), ...parked];
}

function axisRow({ durationMs, width }: Columns): string {
  const step = axisStep(durationMs, Math.max(2, Math.floor(width / 10)));
  const texts = marksOf(durationMs, step).map((at) => ({
    column: Math.round((at * width) / durationMs),
    text: clockText(at),
  }));
  return texts.reduce((line, { column, text }) => line.padEnd(column) + text, '').slice(0, width);
}

function tickRow({ durationMs, width }: Columns): string {
  const step = axisStep(durationMs, Math.max(2, Math.floor(width / 10)));
  const columns = new Set(marksOf(durationMs, step).map((at) => Math.round((at * width) / durationMs)));
  return Array.from({ length: width }, (_, column) => (columns.has(column) ? '┴' : '─')).join('');
}

function marksOf(durationMs: number, step: number): readonly number[] {
  return Array.from({ length: Math.ceil(durationMs / step) }, (_, index) => index * step);
}

function legend({ lanes }: Picture, colors: Colors): string {
  const kinds = new Set(
    lanes.flatMap(({ tracks }) => tracks.flatMap(({ marks }) => marks.map(({ outcome }) => kindOf(outcome)))),
  );
  const entries = KINDS.filter((kind) => kinds.has(kind)).map(
    (kind) => `${strokeOf(kind, colors, '█')} ${KIND_LOOKS[kind].words}`,
  );
  return `${' '.repeat(LABEL)} ${entries.join('   ')}`;
}

function figures(picture: Picture, colors: Colors): readonly string[] {
  const totals = totalsOf(picture);
  const ends = [
    colors.green(`${totals.delivered} delivered`),
    ...(totals.failed > 0 ? [colors.red(`${totals.failed} refused for good`)] : []),
    ...(totals.expired > 0 ? [colors.red(`${totals.expired} expired`)] : []),
    ...(totals.waiting > 0 ? [colors.yellow(`${totals.waiting} still waiting`)] : []),
  ];
  const delays = `median ${spanText(totals.medianDelayMs)}, p95 ${spanText(totals.p95DelayMs)}, longest ${spanText(totals.longestDelayMs)}`;
  return [
    row('events', `${totals.events}: ${ends.join(', ')}`),
    row('attempts', `${totals.attempts}${colors.dim(`, parked for ${spanText(totals.parkedMs)}`)}`),
    row('delay', delays),
  ];
}

function row(label: string, cells: string, paint: (text: string) => string = String): string {
  return `${fitted(label, LABEL)} ${paint(cells.trimEnd())}`.trimEnd();
}
