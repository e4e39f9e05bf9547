import { subscribe } from 'node:diagnostics_channel';

/** A header of each request: the number of the process that sent it. */
export const SENT_BY = 'x-sent-by';

/** What undici tells of each request that it is about to send. */
interface Told {
  readonly request: { readonly addHeader: (name: string, value: string) => unknown };
}

/** From now on every request of this process has the header, whatever makes it. */
export function sayWhoSends(): void {
  subscribe('undici:request:create', (told) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- undici documents what it tells on this channel
    (told as Told).request.addHeader(SENT_BY, String(process.pid));
  });
}
