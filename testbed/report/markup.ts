/** Text as it stands in HTML, XML and their attributes. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A number with no more digits than a drawing needs. */
export function digits(value: number): string {
  return String(Number(value.toFixed(1)));
}
