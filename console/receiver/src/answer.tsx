import { durationText } from '../../src/ui/time.tsx';
import type { Summary } from './control.ts';
import { plain } from './plain-text.ts';

type Answered = Pick<Summary, 'answer' | 'forwarded'>;

/** What the sender got, in a word: a status, or what came instead of one. */
export function AnswerWord({ answer: { said }, forwarded }: Answered) {
  const word = forwarded === undefined ? said : String(forwarded.status);
  const looks = /^2\d\d$/.test(word) ? 'good' : 'other';
  return <span className={`answer mono ${looks}`}>{word}</span>;
}

/** Why the sender got it. */
export function answerReason({ answer: { delayMs, reason }, forwarded }: Answered): string {
  const late = delayMs > 0 ? `, after ${durationText(Math.round(delayMs))}` : '';
  if (forwarded === undefined) return reason + late;
  const { failure, afterMs } = forwarded;
  const after = `after ${durationText(Math.round(afterMs))}`;
  return failure === undefined
    ? `Your application answered ${after}`
    : `Your application did not answer: ${plain(failure)}, ${after}`;
}
