import type { Turn } from '../fault-script/player.ts';
import { printScript } from '../fault-script/printer.ts';
import type { Script } from '../fault-script/step.ts';
import type { Received, ReceiverEvent } from '../receiver/received.ts';
import type { Colors } from './colors.ts';
import { bodyText, sizeText, subjectText, typeText } from './event-text.ts';
import { GAP, indentOf, isNarrow, layoutOf, middleOf, reasonRoom, timeCell, titleRow } from './layout.ts';
import type { Layout } from './layout.ts';
import type { Opening, Report } from './report.ts';
import { signatureNotes, signatureText } from './signature-text.ts';
import { summaryLines } from './summary-lines.ts';
import { fitted, truncated } from './text-width.ts';
import { answerColor, answerText, durationText, reasonText } from './turn-text.ts';

export interface Style {
  readonly colors: Colors;
  /** Columns of the terminal, asked for each time because its window can change. */
  readonly width: () => number;
}

/** As wide as most answers are, so that their reasons stand in one column. */
const ANSWER = 15;
const SHORTEST_BODY = 20;

/** Lines for people: a row for each request, its body below it. */
export function humanReport(script: Script, { colors, width }: Style): Report {
  return {
    start: (opening) => opened(opening, colors, layoutOf(width())),
    event: (event) => happened(event, script, colors, layoutOf(width())),
    end: (tally) => summaryLines(tally, colors),
  };
}

function opened({ url, script, seed, checks }: Opening, colors: Colors, layout: Layout): readonly string[] {
  const repeats = script.length > 1 ? ', then the last step repeats' : ', always';
  const seeded = seed === 0 ? '' : `, seed ${seed}`;
  return [
    `${colors.bold('Waybill receiver')} listening on ${colors.cyan(url)}`,
    `${GAP}${colors.dim('signature')}${GAP}${checks ? 'checked with --secret' : colors.dim('not checked, no --secret')}`,
    `${GAP}${colors.dim('answers  ')}${GAP}${printScript(script)}${colors.dim(repeats + seeded)}`,
    `${GAP}${colors.dim('Ctrl-C ends it with a summary')}`,
    '',
    colors.dim(titleRow(layout)),
  ];
}

function happened(event: ReceiverEvent, script: Script, colors: Colors, layout: Layout): readonly string[] {
  switch (event.kind) {
    case 'received':
      return request(event.request, script, colors, layout);
    case 'left': {
      const who = `${typeText(event.request)} ${subjectText(event.request)}`;
      const what = `the sender hung up after ${durationText(event.afterMs)}`;
      return [`${indentOf(layout)}${colors.yellow('↳')} ${who}: ${colors.yellow(what)}`];
    }
    case 'turned-away':
      return [
        aside(event.at, 'a request that was not read', colors, layout) + answer(event.turn, script, colors, layout),
      ];
    case 'unreadable':
      return [aside(event.at, `not counted: ${event.reason}`, colors, layout).trimEnd()];
  }
}

function request(received: Received, script: Script, colors: Colors, layout: Layout): readonly string[] {
  const attempt = fitted(`#${received.attempt}`, layout.attempt);
  const cells = [
    colors.dim(timeCell(received.at, layout)),
    colors.bold(fitted(typeText(received), layout.type)),
    fitted(subjectText(received), layout.subject),
    fitted(sizeText(received.body), layout.size, 'right'),
    received.attempt === 1 ? colors.dim(attempt) : colors.yellow(attempt),
    signatureText(received.signature, layout.signature, colors),
    answer(received.turn, script, colors, layout),
  ];
  const indent = indentOf(layout);
  const room = Math.max(SHORTEST_BODY, layout.width - indent.length);
  const notes = signatureNotes(received.signature).map((note) => indent + colors.red(truncated(note, room)));
  const below = isNarrow(layout)
    ? `${reasonText(received.turn, script)} · ${bodyText(received.body)}`
    : bodyText(received.body);
  return [cells.join(GAP), ...notes, indent + colors.dim(truncated(below, room))];
}

/** The beginning of a row about a connection rather than a request: one text instead of the cells of an event. */
function aside(at: number, text: string, colors: Colors, layout: Layout): string {
  return [colors.dim(timeCell(at, layout)), colors.yellow(fitted(text, middleOf(layout))), ''].join(GAP);
}

/** A narrow terminal has no room for the reason in the row. */
function answer(turn: Turn, script: Script, colors: Colors, layout: Layout): string {
  const late = turn.delayMs > 0 ? ` after ${durationText(turn.delayMs)}` : '';
  const text = `${answerText(turn)}${late}`;
  const paint = answerColor(turn, colors);
  if (isNarrow(layout)) return paint(text);
  const padded = text.padEnd(ANSWER);
  return `${paint(padded)}${GAP}${colors.dim(truncated(reasonText(turn, script), reasonRoom(layout, padded)))}`;
}
