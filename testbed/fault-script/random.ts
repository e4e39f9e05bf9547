/** A uniform number in [0, 1) for each index; the same index always gives the same number. */
export type Draw = (index: number) => number;

/**
 * Randomness without a state: the numbers depend on the coordinates alone, so that a request draws the same whether or
 * not others were asked before it, in every back-end and in every run.
 */
export function drawAt(...coordinates: readonly number[]): Draw {
  const base = coordinates.reduce(stir, 0x9e3779b9);
  return (index) => stir(base, index + 1) / 2 ** 32;
}

/** Mixes one whole number into a 32-bit hash, with the finaliser of MurmurHash3. */
function stir(hash: number, value: number): number {
  let mixed = Math.imul(hash ^ (value | 0), 0x85ebca6b) ^ Math.imul(Math.floor(value / 2 ** 32) | 0, 0x27d4eb2f);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
