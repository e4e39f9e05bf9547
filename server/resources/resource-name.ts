import { ApiError } from '../http/errors.ts';

const SLUG = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

interface WorkspacePath {
  readonly workspace: string;
}
interface SourcePath extends WorkspacePath {
  readonly source: string;
}
interface DestinationPath extends SourcePath {
  readonly destination: string;
}
interface TrackingPlanPath extends WorkspacePath {
  readonly tracking_plan: string;
}

export function workspaceName(path: WorkspacePath): string {
  return `workspaces/${path.workspace}`;
}

export function sourceName(path: SourcePath): string {
  return `${workspaceName(path)}/sources/${path.source}`;
}

export function destinationName(path: DestinationPath): string {
  return `${sourceName(path)}/destinations/${path.destination}`;
}

export function trackingPlanName(path: TrackingPlanPath): string {
  return `${workspaceName(path)}/tracking-plans/${path.tracking_plan}`;
}

/** The last segment of a name: what the resource is called among its siblings. */
export function slugOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

interface NewName {
  /** The name that the client gave. */
  readonly given: string;
  /** What it must stand in: the path of the request, with a slash at the end. */
  readonly within: string;
  /** Where it was given, for the error. */
  readonly field: string;
}

/** Passes a name that has the form of CFG-3 and stands where the path of the request says. */
export function readNewName({ given, within, field }: NewName): string {
  if (given.startsWith(within) && SLUG.test(given.slice(within.length))) return given;
  const seen = JSON.stringify(given.slice(0, 200));
  const slug = '<slug> of at most 100 letters, digits, dots, dashes and underscores, a letter or digit first';
  throw new ApiError('InvalidArgument', `${field} must be ${within}<slug>, with a ${slug}, got ${seen}`);
}
