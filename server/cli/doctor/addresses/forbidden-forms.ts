import { LITERAL_HOSTS, LITERAL_URLS } from './literal-forms.ts';
import { NAMED_FORMS } from './named-forms.ts';

/** One way to write an address that no webhook may reach. */
export interface ForbiddenForm {
  readonly group: string;
  readonly url: string;
  /** What DNS says at each look-up, for a URL with a host name. As many posts are made as there are answers. */
  readonly answers: readonly (readonly string[])[];
}

/** All of them (D-28): none may get a packet, unless the operator's settings name it. */
export const FORBIDDEN_FORMS: readonly ForbiddenForm[] = [
  ...formsOf(LITERAL_HOSTS, (host) => ({ url: urlOf(host), answers: [] })),
  ...formsOf(LITERAL_URLS, (url) => ({ url, answers: [] })),
  ...formsOf(NAMED_FORMS, ({ host, answers }) => ({ url: urlOf(host), answers })),
];

function formsOf<Entry>(
  groups: Readonly<Record<string, readonly Entry[]>>,
  read: (entry: Entry) => Omit<ForbiddenForm, 'group'>,
): ForbiddenForm[] {
  return Object.entries(groups).flatMap(([group, entries]) => entries.map((entry) => ({ group, ...read(entry) })));
}

function urlOf(host: string): string {
  return `http://${host}/hook`;
}
