import type { IncomingHttpHeaders } from 'node:http';
import { ControlError } from './control-error.ts';

/** What programs on this machine write; a page that points a name of its own at 127.0.0.1 sends that name. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/** A web page must not steer a receiver, or read what it got: browsers tell on them. */
export function refuseStrangers({ host = '', origin, 'sec-fetch-site': site }: IncomingHttpHeaders): void {
  if (!OWN_HOST.test(host))
    throw new ControlError(403, `The host ${JSON.stringify(host)} is not this machine; ask http://127.0.0.1`);
  // Typing the address into a browser is no page's doing.
  if (origin !== undefined || (site !== undefined && site !== 'none'))
    throw new ControlError(403, 'Web pages may not ask; use a program on this machine');
}
