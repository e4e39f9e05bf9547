/** What the names of audiences and computed traits begin with: the source of all that is told of them. */
export const COMPUTATION = /^workspaces\/[^/]+\/(?:audiences|computed-traits)\//;

export function isComputation(name: string): boolean {
  return COMPUTATION.test(name);
}
