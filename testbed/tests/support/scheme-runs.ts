/** How many random bodies each scheme is tried with; `scripts/schemes.ts` tries 10,000, a signature there and one here each. */
export const RUNS = Number(process.env['WAYBILL_SCHEME_RUNS'] ?? 300);
