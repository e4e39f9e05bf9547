import type { createColors } from 'picocolors';
import type { Result } from '../../certify/certify.ts';
import { sentence } from '../../certify/scenario.ts';
import { type Finding, findingOf, tally } from '../../certify/verdicts.ts';
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

const FOUND: Readonly<Record<Finding, string>> = {
  passed: 'The receiver keeps the contract.',
  failed: 'The receiver does not keep the contract.',
  'not-judged': 'The receiver was not judged.',
};
const ONE_CAUSE =
  'It did not accept the first event, and nothing else was sent. Check the URL and the secret, correct that one cause, and run this again.';
const UNSEEN =
  'Skipped is what was not observed: whether repeats are handled once, and forgeries not at all. An --observer shows that.';

export function headLines(url: string, engine: string, { colors, width }: Style): readonly string[] {
  const head = `${colors.bold('Waybill certificate')} of ${colors.cyan(url)}`;
  const how = 'Deliveries are made, signed and sent by the engine of production.';
  return [head, ...wrapped(`${how} It calls itself ${engine}.`, width).map(colors.dim)];
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
    case 'passed': {
      const beside = width >= WIDE && widthOf(title) <= TITLE && widthOf(words) <= width - TITLE - INDENT;
      const mark = `  ${colors.green('✓')} `;
      if (beside) return [mark + fitted(title, TITLE) + colors.dim(`  ${words}`)];
      return [...titled(mark, title, width), ...below(words).map(colors.dim)];
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

export function summaryLines(results: readonly Result[], { colors, width }: Style): readonly string[] {
  const finding = findingOf(results);
  const color = finding === 'passed' ? colors.green : colors.red;
  const isSkipped = results.some(({ verdict }) => verdict === 'skipped');
  return [
    '',
    color(colors.bold(FOUND[finding])),
    `${tally(results).join(', ')}.`,
    ...(finding === 'not-judged' ? wrapped(ONE_CAUSE, width) : []),
    ...(isSkipped ? wrapped(UNSEEN, width).map(colors.dim) : []),
  ];
}

function titled(mark: string, title: string, width: number): readonly string[] {
  return wrapped(title, width - 4).map((line, index) => (index === 0 ? mark : '    ') + line);
}
