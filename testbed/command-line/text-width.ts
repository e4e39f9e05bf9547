/** Letters that take two columns of a terminal: East Asian wide ones, and emoji. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
/** Controls and invisible formats, which could move the cursor or turn the text round. The joiner of emoji may stay. */
const UNSAFE = /(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Text from outside, made safe to print: no escape sequence and no line break gets through. */
export function printable(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(UNSAFE, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

export function widthOf(text: string): number {
  return lettersOf(text).reduce((sum, letter) => sum + letterWidth(letter), 0);
}

/** Cut to so many columns, with a mark that something was cut. */
export function truncated(text: string, width: number): string {
  // Longer than any letter needs, so that a megabyte is not cut into letters.
  const head = text.slice(0, width * 16);
  if (head === text && widthOf(text) <= width) return text;
  let room = width - 1;
  const kept = lettersOf(head).filter((letter) => {
    room -= room < 0 ? 0 : letterWidth(letter);
    return room >= 0;
  });
  return `${kept.join('')}…`;
}

/** Exactly so many columns. */
export function fitted(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const cut = truncated(text, width);
  const padding = ' '.repeat(Math.max(0, width - widthOf(cut)));
  return side === 'left' ? cut + padding : padding + cut;
}

function lettersOf(text: string): readonly string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

function letterWidth(letter: string): number {
  return WIDE.test(letter) ? 2 : 1;
}

/** Lines of at most so many columns, broken between words; a word that is longer than a line is cut. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) line = longer;
    else {
      if (line !== '') lines.push(line);
      line = truncated(word, width);
    }
  }
  return [...lines, line];
}
