/** What reading a class of Unicode (`\p{L}`) takes, in instructions: it stands for hundreds of ranges. */
const UNICODE_CLASS = 150;

/** The same of a class beyond ASCII whose case does not count: each of its characters is looked up. */
const FOLDED_CLASS = 1_500;

/** A repetition, an escape, a class in brackets as a whole, or any other character. */
const PIECES = /\{(\d{1,9})(?:,(\d{0,9}))?\}|\\[^]|\[\^?\]?(?:\\[^]|\[:\^?\w+:\]|[^\]\\])*(?:\]|$)|[^]/g;

/**
 * About how large a regular expression becomes once its repetitions are written out (`(ab){20}` is 40), and what its
 * classes take to be read; of a text that is no regular expression, anything. Never far below the truth.
 */
export function roughSizeOf(text: string): number {
  const foldsCase = /\(\?[a-zA-Z]*i/.test(text);
  const open: number[] = [];
  let [classes, group, last] = [0, 0, 0];
  for (const [piece, least, most] of text.matchAll(PIECES)) {
    if (least !== undefined) {
      const repeats = Math.max(Number(least), Number(most ?? 0), 1);
      group += last * (repeats - 1);
      last *= repeats;
    } else if (piece === '(') {
      open.push(group);
      [group, last] = [0, 0];
    } else if (piece === ')') {
      last = group;
      group += open.pop() ?? 0;
    } else {
      [group, last] = [group + 1, 1];
      classes += UNICODE_CLASS * (piece.match(/\\[pP]/g)?.length ?? 0);
      if (foldsCase && /^\[[^]*(?:[^ -~]|\\[xu])/.test(piece)) classes += FOLDED_CLASS;
    }
  }
  return classes + open.reduce((sum, size) => sum + size, group);
}
