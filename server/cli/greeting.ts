import type { Settings } from '../settings/settings.ts';
import type { StartToken } from '../resources/bootstrap.ts';
import type { Place } from '../storage/place.ts';

type Shown = Pick<Settings, 'workspace' | 'docs' | 'console'>;

/** What a person at a terminal is told of a router that listens: where it is, where its reference is, what to do next. */
export function greeting(url: string, { workspace, docs, console }: Shown): string {
  return [
    `Waybill listens on ${url}`,
    `Console: ${console ? `${url}/console` : 'switched off'}`,
    `API reference: ${docs ? `${url}/docs` : 'switched off'}`,
    `Next: open the console, create a source with POST ${url}/v1beta/workspaces/${workspace}/sources, or follow the walk in README.md`,
    '',
  ].join('\n');
}

/** What has to be said of the first token, or of one that has no effect; undefined when there is nothing to say. */
export function tokenNotice(token: StartToken, place: Place): string | undefined {
  switch (token.kind) {
    case 'made':
      return `Waybill made its first access token. It is shown only now:\n\n  ${token.plaintext}\n`;
    case 'ignored':
      return `The given token was ignored: ${place.shown} already has other access tokens. ${wayToToken(place)}`;
    case 'stored':
    case 'known':
      return undefined;
  }
}

/** The URL of a database is a secret: it is left where it is. */
function wayToToken(place: Place): string {
  if (place.engine === 'file')
    return `To get a new one, stop the router and run: npx waybill token create --data-dir ${place.folder}`;
  return 'To get a new one, run with the same WAYBILL_STORAGE: npx waybill token create';
}
