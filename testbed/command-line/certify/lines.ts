import type { createColors } from 'picocolors';
import type { Result } from '../../certify/certify.ts';
import { sentence } from '../../certify/scenario.ts';
import { SUBJECTS, type StatementKind } from '../../certify/subject.ts';
import { findingOf, tally } from '../../certify/verdicts.ts';
import { fitted, printable, widthOf, wrapped } from '../text-width.ts';

type Colors = ReturnType<typeof createColors>;

export interface Style {
  readonly colors: Colors;
  readonly width: number;
}

/** From here on what was seen stands beside the title. */
const WIDE = 110;
const TITLE = 70;
const INDENT = 6;

/** What the summary adds in words. */
const ADVICE: Readonly<Record<StatementKind, { readonly oneCause: string; readonly unseen: string }>> = {
  'waybill-receiver-certificate': {
    oneCause:
      'It did not accept the first event, and nothing else was sent. Check the URL and the secret, correct that one cause, and run this again.',
    unseen:
      'Skipped is what was not observed: whether repeats are handled once, and forgeries not at all. An --observer shows that.',
  },
  'waybill-sender-certificate': {
    oneCause:
      'Its first event did not arrive. Check that the trigger makes an event, and that the sender sends to this address; then run this again.',
    unseen: 'What was not judged was not observed: it speaks neither for the sender nor against it.',
  },
};

const NOT_ASKED =
  'What is not for this sender was not asked, and says nothing about the receiver: it is Waybill’s own, or about what this sender does not sign.';

export function headLines(url: string, how: string, { colors, width }: Style): readonly string[] {
  const head = `${colors.bold('Waybill certificate')} of ${colors.cyan(url)}`;
  return [head, ...wrapped(how, width).map(colors.dim)];
}

export function groupLines(group: string, { colors }: Style): readonly string[] {
  return ['', colors.bold(group)];
}

/** A result in words: short when it is well, and with what is expected when it is not. */
export function resultLines(result: Result, { colors, width }: Style): readonly string[] {
  const { verdict, title, expects } = result;
  const words = sentence(printable(result.words));
  const below = (text: string) => wrapped(text, width - INDENT).map((line) => ' '.repeat(INDENT) + line);
  switch (verdict) {
    case 'passed':
    case 'not-asked': {
      const beside = width >= WIDE && widthOf(title) <= TITLE && widthOf(words) <= width - TITLE - INDENT;
      const [mark, paint] = verdict === 'passed' ? [`  ${colors.green('✓')} `, plain] : ['  - ', colors.dim];
      if (beside) return [mark + paint(fitted(title, TITLE)) + colors.dim(`  ${words}`)];
      return [...titled(mark, title, width).map(paint), ...below(words).map(colors.dim)];
    }
    case 'advice':
      return [
        ...titled(`  ${colors.yellow('!')} `, title, width),
        ...below(words).map(colors.yellow),
        ...below(expects),
      ];
    case 'skipped':
    case 'not-judged':
      return [...titled('  - ', title, width), ...below(words)].map(colors.dim);
    case 'failed':
      return [
        ...titled(`  ${colors.red('✗')} `, title, width).map(colors.bold),
        ...below(words).map(colors.red),
        ...below(expects),
      ];
  }
}

export function summaryLines(
  results: readonly Result[],
  { colors, width }: Style,
  kind: StatementKind = 'waybill-receiver-certificate',
): readonly string[] {
  const finding = findingOf(results);
  const { noun, found, unseen } = SUBJECTS[kind];
  const color = finding === 'passed' ? colors.green : colors.red;
  const isSkipped = results.some(({ verdict }) => verdict === 'skipped');
  const isNotAsked = results.some(({ verdict }) => verdict === 'not-asked');
  return [
    '',
    color(colors.bold(`The ${noun} ${found[finding]}.`)),
    ...wrapped(`${tally(results, unseen).join(', ')}.`, width),
    ...(finding === 'not-judged' ? wrapped(ADVICE[kind].oneCause, width) : []),
    ...(isSkipped ? wrapped(ADVICE[kind].unseen, width).map(colors.dim) : []),
    ...(isNotAsked ? wrapped(NOT_ASKED, width).map(colors.dim) : []),
  ];
}

function plain(text: string): string {
  return text;
}

function titled(mark: string, title: string, width: number): readonly string[] {
  return wrapped(title, width - 4).map((line, index) => (index === 0 ? mark : '    ') + line);
}
