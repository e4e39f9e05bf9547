import { ApiError } from '../http/errors.ts';

const DEEPEST = 100;

/**
 * Refuses free-form JSON that is nested so deeply that printing it again would exhaust the stack. Schemas of tracking
 * plans, the deepest that people write, stay far below.
 */
export function refuseDeepNesting(value: unknown, place: string): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) throw new ApiError('InvalidArgument', `${place} is nested deeper than ${DEEPEST} levels`);
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
}
