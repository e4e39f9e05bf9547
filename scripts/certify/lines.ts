import type { createColors } from 'picocolors';
import { hasPassed, SCENARIO_COUNT, type Result } from '../../testbed/certify/certify.ts';
import { fitted, printable, widthOf, wrapped } from '../../testbed/command-line/text-width.ts';

type Colors = ReturnType<typeof createColors>;

export interface Style {
  readonly colors: Colors;
  readonly width: number;
}

/** From here on what was seen stands beside the title. */
const WIDE = 110;
const TITLE = 70;
const INDENT = 6;

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
  isObserved: boolean,
  { colors, width }: Style,
): readonly string[] {
  const count = (verdict: Result['verdict']) => results.filter((result) => result.verdict === verdict).length;
  const verdict = hasPassed(results)
    ? colors.green(colors.bold('The receiver keeps the contract.'))
    : colors.red(colors.bold('The receiver does not keep the contract.'));
  const counts = `${count('passed')} passed, ${count('advice')} with advice, ${count('failed')} failed.`;
  const untried = SCENARIO_COUNT - results.length;
  const silent = `It answered nothing so far, and ${untried} further scenarios were not tried.`;
  const unseen =
    'What was not seen: whether repeats are handled once, and forgeries not at all. An --observer shows that.';
  return [
    '',
    verdict,
    counts,
    ...(untried > 0 ? wrapped(silent, width) : []),
    ...(isObserved ? [] : wrapped(unseen, width).map(colors.dim)),
  ];
}

function titled(mark: string, title: string, width: number): readonly string[] {
  return wrapped(title, width - 4).map((line, index) => (index === 0 ? mark : '    ') + line);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
