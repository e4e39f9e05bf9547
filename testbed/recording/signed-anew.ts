import { toBytes } from '../../client/webhooks/signature.ts';
import { refuseUndefined, refuseUnknown } from '../receiver/known-names.ts';
import { type Header, headerOf } from '../receiver/received.ts';
import { saidIn } from '../schemes/said.ts';
import { type SchemeChoice, schemeOf } from '../schemes/schemes.ts';
import { WAYBILL } from '../schemes/waybill.ts';
import type { Recorded } from './recording.ts';
import { isSignature } from './credential-names.ts';

export interface Signing {
  /** Where the request goes, with its path: some schemes sign the address. */
  readonly url: string;
  readonly secret: string;
  /** Default `waybill`. */
  readonly scheme?: SchemeChoice;
  /** When it is signed, in milliseconds since 1970; default now. */
  readonly at?: number;
}

/** A recorded request for this address, with a signature of now in the place of every one that it had. */
export function signedAnew(recorded: Recorded, signing: Signing): Recorded {
  refuseUnknown('signedAnew', signing, ['url', 'secret', 'scheme', 'at']);
  refuseUndefined('', signing, ['scheme']);
  const { url, secret, at = Date.now() } = signing;
  const { headers, body } = recorded;
  const scheme = schemeOf(signing.scheme);
  const id = saidIn(recorded, [...scheme.places.id, ...WAYBILL.places.id]) ?? 'msg_replayed';
  const contentType = headerOf(recorded, 'content-type') ?? '';
  const signature = scheme.sign({ url, body: toBytes(body), contentType, at, id }, secret);
  const own = Object.entries(signature.headers);
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  const kept = headers.filter(([name]) => !isSignature(name) && !names.has(name.toLowerCase()));
  const { pathname, search } = new URL(signature.url);
  return {
    ...recorded,
    path: pathname + search,
    headers: [...kept, ...own.map(([name, value]): Header => [name, value])],
  };
}
