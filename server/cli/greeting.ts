import type { Settings } from '../settings/settings.ts';
import type { StartToken } from '../resources/bootstrap.ts';

/** What a person at a terminal is told of a router that listens: where it is, where its reference is, what to do next. */
export function greeting(url: string, { workspace, docs }: Pick<Settings, 'workspace' | 'docs'>): string {
  return [
    `Waybill listens on ${url}`,
    `API reference: ${docs ? `${url}/docs` : 'switched off'}`,
    `Next: create a source with POST ${url}/v1beta/workspaces/${workspace}/sources, or follow the walk in README.md`,
    '',
  ].join('\n');
}

/** What has to be said of the first token, or of one that has no effect; undefined when there is nothing to say. */
export function tokenNotice(token: StartToken, dataDir: string): string | undefined {
  switch (token.kind) {
    case 'made':
      return `Waybill made its first access token. It is shown only now:\n\n  ${token.plaintext}\n`;
    case 'ignored':
      return (
        `The given token was ignored: ${dataDir} already has other access tokens. ` +
        `To get a new one, stop the router and run: npx waybill token create --data-dir ${dataDir}`
      );
    case 'stored':
    case 'known':
      return undefined;
  }
}
