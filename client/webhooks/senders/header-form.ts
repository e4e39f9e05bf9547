import { joined } from '../bytes.ts';
import type { Encoding } from '../digest-text.ts';
import { requireTolerance } from '../standard.ts';
import type { Algorithm, Content, SenderForm, Written } from './form.ts';

/** A signature that has a header of its own. */
export interface HeaderForm {
  /** The header of the signature. */
  readonly header: string;
  readonly algorithm: Algorithm;
  readonly encoding: Encoding;
  /** What stands before the digest: `sha256=`. */
  readonly prefix?: string;
  /** A header with the seconds since 1970 that are signed as well; how old a signature may be, default five minutes. */
  readonly timestamp?: { readonly header: string; readonly toleranceSeconds?: number };
  /** What is signed; default the body, after the timestamp and a full stop where there is one. */
  readonly payload?: (parts: Pick<Content, 'body' | 'timestamp' | 'url'>) => Uint8Array | string;
}

export const FIVE_MINUTES = 300;

export function formOf({ header, algorithm, encoding, prefix = '', timestamp, payload }: HeaderForm): SenderForm {
  if (timestamp?.toleranceSeconds !== undefined) requireTolerance(timestamp.toleranceSeconds);
  const content = contentOf(payload, timestamp !== undefined);
  return {
    headers: [header],
    algorithm,
    encoding,
    ...(timestamp === undefined ? {} : { toleranceSeconds: timestamp.toleranceSeconds ?? FIVE_MINUTES }),
    read(headerOf) {
      const signature = headerOf(header) ?? '';
      if (!signature.startsWith(prefix)) return undefined;
      const written = { digests: [signature.slice(prefix.length)] };
      return timestamp === undefined ? written : withTimestamp(written, headerOf(timestamp.header));
    },
    ...(content === undefined ? {} : { content }),
  };
}

function contentOf(payload: HeaderForm['payload'], isTimed: boolean): SenderForm['content'] {
  if (payload !== undefined) return (parts) => joined([payload(parts)]);
  return isTimed ? ({ timestamp, body }) => joined([`${timestamp}.`, body]) : undefined;
}

function withTimestamp(written: Written, timestamp = ''): Written | undefined {
  return /^\d+$/.test(timestamp) ? { ...written, timestamp } : undefined;
}
