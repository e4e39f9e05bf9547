/** Where the random tests begin: another place each time, unless WAYBILL_CONTRACT_SEED asks for an earlier one again. */
export function contractSeed(): number {
  const asked = process.env['WAYBILL_CONTRACT_SEED'];
  if (asked === undefined) return Math.trunc(Math.random() * 2 ** 31);
  const seed = Number(asked);
  if (!Number.isInteger(seed)) throw new Error(`WAYBILL_CONTRACT_SEED must be a whole number, got ${asked}`);
  return seed;
}

/** What to do to see the same again. */
export function replayLine(what: string, seed: number): string {
  return `${what}, seed ${seed}; the same again: WAYBILL_CONTRACT_SEED=${seed} npm run test:contract`;
}
