import type { Colors } from './colors.ts';
import type { Tally } from './tally.ts';

export function summaryLines(tally: Tally, colors: Colors): readonly string[] {
  const { valid, invalid, missing, 'not expected': unchecked } = tally.signatures;
  const signatures = [
    colors.green(`${valid} valid`),
    invalid === 0 ? '0 invalid' : colors.red(`${invalid} invalid`),
    ...(missing === 0 ? [] : [colors.red(`${missing} missing`)]),
  ];
  const counts: readonly (readonly [string, string])[] = [
    ['requests', tally.requests === 0 ? 'none' : String(tally.requests)],
    ['unread', tally.turnedAway === 0 ? '' : `${tally.turnedAway} rejected by the script`],
    ['no HTTP', tally.unreadable === 0 ? '' : `${tally.unreadable} not counted`],
    ['signatures', unchecked === tally.requests ? 'not checked' : signatures.join(', ')],
    ['forwarded', tally.forwarded === 0 ? '' : forwardedText(tally, colors)],
    ['answered', [...tally.answered].map(([answer, times]) => `${answer} ×${times}`).join(', ')],
  ];
  const shown = counts
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `  ${colors.dim(name.padEnd(10))}  ${text}`);
  return ['', colors.bold('Summary'), ...shown];
}

function forwardedText({ forwarded, unanswered }: Tally, colors: Colors): string {
  const answered = `${forwarded - unanswered} answered by the application`;
  return unanswered === 0 ? answered : `${answered}, ${colors.red(`${unanswered} not`)}`;
}
