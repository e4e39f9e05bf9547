/** The name of what a resource is below: its own without the last two segments, empty at the root (CFG-3). */
export function parentOf(name: string): string {
  const end = name.lastIndexOf('/', name.lastIndexOf('/') - 1);
  return end < 0 ? '' : name.slice(0, end);
}

/** The last segment of a name: what the resource is called among its siblings. */
export function slugOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** The segment before the last: which kind of resources a name is of. Any resource above it may be called as a collection is. */
export function collectionOf(name: string): string {
  return name.split('/').at(-2) ?? '';
}

/** Whether a name is that of the scope, or of something below it. */
export function isWithin(name: string, scope: string): boolean {
  return name === scope || name.startsWith(`${scope}/`);
}

/** Full name of the workspace that a resource is, or is below. */
export function workspaceOf(name: string): string {
  const end = name.indexOf('/', name.indexOf('/') + 1);
  return end < 0 ? name : name.slice(0, end);
}

/** What the names of audiences and computed traits begin with: the source of all that is told of them. */
export const COMPUTATION = /^workspaces\/[^/]+\/(?:audiences|computed-traits)\//;

export function isComputation(name: string): boolean {
  return COMPUTATION.test(name);
}
