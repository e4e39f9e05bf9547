/**
 * The beginning of a text, as a text of its own: what `slice` gives keeps the whole that it was cut from in memory for as
 * long as it lives. Whatever is kept of what senders wrote passes here.
 */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le');
}
