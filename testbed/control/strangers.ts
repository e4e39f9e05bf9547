import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ControlError } from './control-error.ts';

/** What programs on this machine write; a page that points a name of its own at 127.0.0.1 sends that name. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/** A page that points a name of its own at 127.0.0.1 gets nothing, not even the page. */
export function refuseOtherHosts({ host = '' }: IncomingHttpHeaders): void {
  if (!OWN_HOST.test(host))
    throw new ControlError(403, `The host ${JSON.stringify(host)} is not this machine; ask http://127.0.0.1`);
}

/**
 * Another web page must not steer a receiver, or read what it got: browsers tell on them. The receiver's own page gives the
 * token, since others can stand at its address before or after it; programs do where `needsToken` says so.
 */
export function refuseStrangers(headers: IncomingHttpHeaders, token: string, needsToken: boolean): void {
  refuseOtherHosts(headers);
  const { host = '', origin, authorization = '', 'sec-fetch-site': site } = headers;
  const isOwnOrigin = origin === undefined || origin === `http://${host}`;
  // Typing the address into a browser is no page's doing.
  if (!isOwnOrigin || (site !== undefined && site !== 'none' && site !== 'same-origin'))
    throw new ControlError(
      403,
      'Other web pages may not ask; use a program on this machine, or the page of the receiver',
    );
  const isPage = origin !== undefined || site === 'same-origin';
  if ((needsToken || isPage) && !isSame(authorization, `Bearer ${token}`))
    throw new ControlError(
      403,
      'The token is missing or wrong; open the address that the receiver printed for its page',
    );
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
