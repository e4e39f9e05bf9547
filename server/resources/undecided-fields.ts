import type { Undecided } from '../losses/undecided-port.ts';

/** A definition as it is answered, with what of it could not be decided, as far as anything could not. */
export function withUndecided<R extends object>(
  shown: R,
  name: string,
  undecided: Pick<Undecided, 'of'>,
): R & { undecided_count?: number; last_undecided_time?: string } {
  const { count, lastTime } = undecided.of(name) ?? {};
  if (count === undefined || lastTime === undefined) return shown;
  return { ...shown, undecided_count: count, last_undecided_time: lastTime };
}
