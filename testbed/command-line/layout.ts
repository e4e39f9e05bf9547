import { fitted, widthOf } from './text-width.ts';

export const GAP = '  ';

/** How many columns each cell of a row has; what is left on the line is for the answer and its reason. */
export interface Layout {
  readonly width: number;
  readonly time: number;
  readonly type: number;
  readonly subject: number;
  readonly size: number;
  readonly attempt: number;
  readonly signature: number;
}

const FIXED = { type: 8, size: 8, attempt: 4, signature: 10 };
const NARROW = 100;
const ANSWER = 17;
const ANSWER_AND_REASON = 40;

export function layoutOf(width: number): Layout {
  const time = width < NARROW ? '00:00:00'.length : '00:00:00.000'.length;
  const last = width < NARROW ? ANSWER : ANSWER_AND_REASON;
  const others = time + FIXED.type + FIXED.size + FIXED.attempt + FIXED.signature + GAP.length * 6;
  return { ...FIXED, width, time, subject: Math.min(36, Math.max(12, width - others - last)) };
}

/** Whether it is too narrow for milliseconds, and for the reason beside an answer. */
export function isNarrow({ width }: Layout): boolean {
  return width < NARROW;
}

export function titleRow(layout: Layout): string {
  const cells = [
    fitted('time', layout.time),
    fitted('type', layout.type),
    fitted('what · who', layout.subject),
    fitted('size', layout.size, 'right'),
    fitted('try', layout.attempt),
    fitted('signature', layout.signature),
    'answer',
  ];
  return cells.join(GAP);
}

/** Where lines below a row begin: under its type. */
export function indentOf({ time }: Layout): string {
  return ' '.repeat(time) + GAP;
}

/** Columns of all cells between the time and the answer, as one. */
export function middleOf({ type, subject, size, attempt, signature }: Layout): number {
  return type + subject + size + attempt + signature + GAP.length * 4;
}

/** What is left for the reason behind an answer. */
export function reasonRoom(layout: Layout, answer: string): number {
  return Math.max(6, layout.width - layout.time - middleOf(layout) - GAP.length * 3 - widthOf(answer));
}

/** The time of day where it runs, as long as its cell. */
export function timeCell(ms: number, { time }: Layout): string {
  const date = new Date(ms);
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0'));
  return `${clock.join(':')}.${String(date.getMilliseconds()).padStart(3, '0')}`.slice(0, time);
}
