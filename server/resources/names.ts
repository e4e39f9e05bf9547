import { ApiError } from '../http/errors.ts';
import { parentOf } from '../model/resource-names.ts';

/** Full names (CFG-3), with the parameters that the paths of requests have in their places. */
const NAMES = {
  'access-tokens': templates('access-tokens/{access_token}'),
  workspaces: templates('workspaces/{workspace}'),
  sources: templates('workspaces/{workspace}/sources/{source}'),
  destinations: templates('workspaces/{workspace}/sources/{source}/destinations/{destination}'),
  filters: templates('workspaces/{workspace}/sources/{source}/destinations/{destination}/filters/{filter}'),
  'tracking-plans': templates('workspaces/{workspace}/tracking-plans/{tracking_plan}'),
  audiences: templates('workspaces/{workspace}/audiences/{audience}'),
  'computed-traits': templates('workspaces/{workspace}/computed-traits/{computed_trait}'),
};

export type Named = keyof typeof NAMES;

/** The parameters of a path. */
export type PathParameters = Readonly<Record<string, string>>;

/** The name that a path leads to. */
export function nameOf(kind: Named, path: PathParameters): string {
  return filled(NAMES[kind].own, path);
}

/** What the resources of a kind that a path leads to are below; empty at the root. */
export function parentIn(kind: Named, path: PathParameters): string {
  return filled(NAMES[kind].parent, path);
}

/** Texts and parameters take turns. */
type Template = readonly string[];

function templates(name: string): { readonly own: Template; readonly parent: Template } {
  return { own: name.split(/[{}]/), parent: parentOf(name).split(/[{}]/) };
}

function filled(template: Template, path: PathParameters): string {
  let name = '';
  for (const [index, part] of template.entries()) {
    const text = index % 2 === 0 ? part : path[part];
    if (text === undefined) throw new Error(`the path has no parameter ${part}`);
    name += text;
  }
  return name;
}

const SLUG = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

interface NewName {
  /** The name that the client gave. */
  readonly given: string;
  /** What it must stand in: the path of the request, with a slash at the end. */
  readonly within: string;
  /** Where it was given, for the error. */
  readonly field: string;
}

/** Passes a name that has its form (CFG-3) and stands where the path of the request says. */
export function readNewName({ given, within, field }: NewName): string {
  if (given.startsWith(within) && SLUG.test(given.slice(within.length))) return given;
  const seen = JSON.stringify(given.slice(0, 200));
  const slug = '<slug> of at most 100 letters, digits, dots, dashes and underscores, a letter or digit first';
  throw new ApiError('InvalidArgument', `${field} must be ${within}<slug>, with a ${slug}, got ${seen}`);
}
