/** A number of things, with its digits in groups: `12,345`. */
export function countText(value: number): string {
  return value.toLocaleString('en');
}

/** A part of a whole in percent; 100 stands for all of it alone. */
export function shareText(part: number, whole: number): string {
  const percent = (100 * part) / whole;
  return `${percent === 100 ? '100' : Math.min(percent, 99.9).toFixed(1)} %`;
}
