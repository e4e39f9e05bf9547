/** Classes per doubling of the time: a percentile is read at most 4.5 % too high. */
const PER_DOUBLING = 16;

/** The class of a time from acceptance, or from the last replay, to the success; in milliseconds. */
export function successTimeClass(ms: number): number {
  return Math.ceil(PER_DOUBLING * Math.log2(Math.max(0, ms) + 1));
}

/** The longest time of a class, in milliseconds. */
export function successTimeMs(successClass: number): number {
  return Math.round(2 ** (successClass / PER_DOUBLING) - 1);
}
