import type { Turn } from '../fault-script/player.ts';
import { printScript } from '../fault-script/printer.ts';
import { applicationFor } from '../receiver/forwarding.ts';
import type { Forwarded, Received, ReceiverEvent } from '../receiver/received.ts';
import type { Colors, Paint } from './colors.ts';
import { bodyText, sizeText, subjectText, typeText } from './event-text.ts';
import { GAP, indentOf, isNarrow, layoutOf, middleOf, reasonRoom, timeCell } from './layout.ts';
import type { Layout } from './layout.ts';
import { openingLines } from './opening-lines.ts';
import type { Report } from './report.ts';
import { signatureNotes, signatureText } from './signature-text.ts';
import { summaryLines } from './summary-lines.ts';
import { fitted, printable, truncated, widthOf, wrapped } from './text-width.ts';
import { answerColor, answerText, durationText, reasonText } from './turn-text.ts';

export interface Style {
  readonly colors: Colors;
  /** Columns of the terminal, asked for each time because its window can change. */
  readonly width: () => number;
}

/** As wide as most answers are, so that their reasons stand in one column. */
const ANSWER = 15;
const MIN_BODY = 20;
const MIN_WHO = 8;

/** Lines for people: a row for each request, its body below it. */
export function humanReport({ colors, width }: Style): Report {
  return {
    start: (opening) => openingLines(opening, colors, layoutOf(width())),
    event: (event) => happened(event, colors, layoutOf(width())),
    end: (tally) => summaryLines(tally, colors),
  };
}

function happened(event: ReceiverEvent, colors: Colors, layout: Layout): readonly string[] {
  switch (event.kind) {
    case 'received':
      return request(event.request, colors, layout);
    case 'left':
      return below(event.request, `the sender hung up after ${durationText(event.afterMs)}`, colors.yellow, layout);
    case 'forwarded':
      return below(event.request, ...forwardedText(event.answer, colors), layout);
    case 'turned-away': {
      const { turn, endpoint } = event;
      const text = `${endpoint === undefined ? 'a request' : `a request to ${printable(endpoint)}`} that was not read`;
      const reason = reasonText(turn, turn.script);
      return [aside(event.at, text, colors, layout) + answer(turn, answerText(turn), reason, colors, layout)];
    }
    case 'scripted': {
      const where = event.endpoint === undefined ? '' : ` of ${printable(event.endpoint)}`;
      return [remark(event.at, `the script${where} is now ${printScript(event.script)}`, colors, layout)];
    }
    case 'reset':
      return [remark(event.at, 'reset: what came is forgotten, and scripts begin anew', colors, layout)];
    case 'unreadable':
      return [remark(event.at, `not counted: ${event.reason}`, colors, layout)];
  }
}

function request(received: Received, colors: Colors, layout: Layout): readonly string[] {
  const attempt = fitted(`#${received.attempt}`, layout.attempt);
  const reason = placedReason(received);
  const cells = [
    colors.dim(timeCell(received.at, layout)),
    colors.bold(fitted(typeText(received), layout.type)),
    fitted(subjectText(received), layout.subject),
    fitted(sizeText(received.body), layout.size, 'right'),
    received.attempt === 1 ? colors.dim(attempt) : colors.yellow(attempt),
    signatureText(received.signature, layout.signature, colors),
    answer(received.turn, wordFor(received), reason, colors, layout),
  ];
  const indent = indentOf(layout);
  const room = Math.max(MIN_BODY, layout.width - indent.length);
  const notes = signatureNotes(received.signature)
    .flatMap((note) => wrapped(note, room))
    .map((line) => indent + colors.red(line));
  const body = isNarrow(layout) ? `${reason} · ${bodyText(received.body)}` : bodyText(received.body);
  return [cells.join(GAP), ...notes, indent + colors.dim(truncated(body, room))];
}

/** Why it was answered so; where endpoints share the port, with the one that took it. */
function placedReason({ endpoint, turn, script }: Received): string {
  const reason = reasonText(turn, script);
  return endpoint === undefined ? reason : `${printable(endpoint)} ${reason}`;
}

/** The answer, or that it is the application's to give. */
function wordFor(received: Received): string {
  return applicationFor(received) === undefined ? answerText(received.turn) : '→ forwarded';
}

/** A line below the row of a request, about what came later. */
function below(about: Received, text: string, paint: Paint, layout: Layout): readonly string[] {
  const indent = `${indentOf(layout)}↳ `;
  const room = Math.max(MIN_BODY, layout.width - indent.length);
  const what = truncated(text, room);
  const left = room - widthOf(what) - 2;
  const who = left < MIN_WHO ? '' : `${truncated(`${typeText(about)} ${subjectText(about)}`, left)}: `;
  return [`${indent}${who}${paint(what)}`];
}

function forwardedText({ status, failure, afterMs }: Forwarded, colors: Colors): readonly [string, Paint] {
  const late = `after ${durationText(afterMs)}`;
  if (failure === undefined)
    return [`the application answered ${status} ${late}`, status < 300 ? colors.green : colors.yellow];
  const what = status === 502 ? 'did not answer' : 'broke off its answer';
  return [`the application ${what}: ${printable(failure)} (${status} ${late})`, colors.red];
}

/** A whole row about no request. */
function remark(at: number, text: string, colors: Colors, layout: Layout): string {
  const room = Math.max(MIN_BODY, layout.width - layout.time - GAP.length);
  return colors.dim(timeCell(at, layout)) + GAP + colors.yellow(truncated(text, room));
}

/** The beginning of a row about a connection rather than a request: one text instead of the cells of an event. */
function aside(at: number, text: string, colors: Colors, layout: Layout): string {
  return [colors.dim(timeCell(at, layout)), colors.yellow(fitted(text, middleOf(layout))), ''].join(GAP);
}

/** A narrow terminal has no room for the reason in the row. */
function answer(turn: Turn, word: string, reason: string, colors: Colors, layout: Layout): string {
  const late = turn.delayMs > 0 ? ` after ${durationText(turn.delayMs)}` : '';
  const text = `${word}${late}`;
  const paint = answerColor(turn, colors);
  if (isNarrow(layout)) return paint(text);
  const padded = text.padEnd(ANSWER);
  return `${paint(padded)}${GAP}${colors.dim(truncated(reason, reasonRoom(layout, padded)))}`;
}
