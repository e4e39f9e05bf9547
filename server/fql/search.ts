import type { Budget } from '../evaluation/budget.ts';

/** Below this product of both lengths the search of the language itself is fast, however it goes. */
const SHORT = 65_536;

/** Whether a part stands in a text, in a time that grows with the sum of their lengths and not with their product. */
export function includesPart(text: string, part: string, budget: Budget): boolean {
  const compared = text.length * part.length;
  if (compared <= SHORT) {
    budget.spend(1 + compared / 16);
    return text.includes(part);
  }
  const [codes, wanted] = [unitsOf(text), unitsOf(part)];
  return indexOfCodes(codes, wanted, 0, budget) !== undefined;
}

type Codes = ArrayLike<number>;

/** Where `wanted` stands first from `from` on, as Knuth, Morris and Pratt find it: no code is looked at again. */
export function indexOfCodes(codes: Codes, wanted: Codes, from: number, budget: Budget): number | undefined {
  budget.spend(CODE_STEPS * wanted.length);
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = from; at < codes.length && matched < wanted.length; at += 1) {
    if (at % BLOCK === 0) budget.spend(CODE_STEPS * BLOCK);
    while (matched > 0 && codes[at] !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (codes[at] === wanted[matched]) matched += 1;
    if (matched === wanted.length) return at + 1 - matched;
  }
  return wanted.length === 0 ? from : undefined;
}

/** So many codes are paid for at once. */
const BLOCK = 256;
const CODE_STEPS = 2;

/** For each beginning of a text, how much of it is its own end too. */
function bordersOf(codes: Codes): Uint32Array {
  const borders = new Uint32Array(codes.length);
  let length = 0;
  for (let at = 1; at < codes.length; at += 1) {
    while (length > 0 && codes[at] !== codes[length]) length = borders[length - 1] ?? 0;
    if (codes[at] === codes[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return units;
}
