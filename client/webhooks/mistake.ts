/** Every classic mistake that the doctor can name, with what happened and what mends it. */
export const MISTAKES = {
  'no-signature': ['no signature came', 'set the destination’s sharedSecret, and see that no proxy drops X-Signature'],
  'no-standard-signature': [
    'webhook-id, webhook-timestamp or webhook-signature did not come',
    'set the destination’s signature to standard-webhooks or both, and see that no proxy drops them',
  ],
  'timestamp-old': [
    'webhook-timestamp is too long ago: it is a replay, or the clock here is ahead',
    'set the clock of this machine (NTP)',
  ],
  'timestamp-new': [
    'webhook-timestamp is in the future: the clock here is behind',
    'set the clock of this machine (NTP)',
  ],
  'timestamp-malformed': ['webhook-timestamp is no whole number of seconds', 'send seconds since 1970'],
  'secret-prefix': ['the secret lacks whsec_ on one side', 'use the secret’s text as it stands, with whsec_'],
  'secret-not-decoded': [
    'the text of the secret was used as the key',
    'decode the base64 behind whsec_, or use a Standard Webhooks library',
  ],
  'body-reserialized': [
    'the body was parsed and written again before it was signed or checked',
    'work on the raw bytes of the request, before any JSON parser',
  ],
  'body-escaped': [
    'the body was written again by a library that escapes characters (\\u00e9, \\/)',
    'work on the raw bytes of the request, before any JSON parser',
  ],
  'body-keys-sorted': ['the keys of the body were sorted', 'work on the raw bytes of the request'],
  'body-quoted': ['the body was turned into JSON twice', 'do not stringify what is text already'],
  'body-trailing-newline': [
    'a line break at the end of the body came or went',
    'sign and send the same bytes, untrimmed',
  ],
  'body-trimmed': ['white space around the body came or went', 'sign and send the same bytes, untrimmed'],
  'body-line-endings': ['line breaks were changed between LF and CRLF', 'carry the body as bytes, not as text lines'],
  'body-byte-order-mark': ['a byte order mark came or went', 'carry the body as bytes; write UTF-8 without a mark'],
  'body-charset': [
    'the body was read or written in another charset than UTF-8',
    'carry the body as bytes, or as UTF-8',
  ],
  'body-empty': [
    'the digest is of an empty body',
    'something read the body before: take its raw bytes first, then parse',
  ],
  'secret-old': [
    'it was made with another secret that is known here',
    'use one secret on both sides; the old one is still in use',
  ],
  'secret-whitespace': [
    'the secret has white space around it on one side',
    'trim the secret: often a line break at the end of a file',
  ],
  'secret-quoted': [
    'the secret has quotation marks around it on one side',
    'take the quotation marks out of the environment file',
  ],
  'secret-decoded': [
    'the secret was decoded (hex or base64) before use',
    'use the secret’s text as it stands, in UTF-8',
  ],
  'secret-charset': ['the secret was read in another charset than UTF-8', 'use the secret’s UTF-8 bytes'],
  'hash-sha256': ['it is HMAC with SHA-256', 'X-Signature is HMAC with SHA-1'],
  'hash-sha512': ['it is HMAC with SHA-384 or SHA-512', 'X-Signature is HMAC with SHA-1'],
  'hash-plain': ['it is a plain hash, and no HMAC', 'use HMAC keyed by the secret; do not join secret and body'],
  'arguments-swapped': ['secret and body changed places', 'the secret is the key, the body is the message'],
  'encoding-base64': ['the digest is in base64', 'write it in hex'],
  'encoding-upper-case': ['the hex is in upper case', 'write it in lower case'],
  'encoding-prefix': ['there is a prefix such as sha1= before the digest', 'X-Signature is the digest alone'],
  'encoding-whitespace': [
    'there is white space or a quotation mark around the digest',
    'X-Signature is the digest alone',
  ],
} as const satisfies Record<string, readonly [what: string, remedy: string]>;

export type Mistake = keyof typeof MISTAKES;

export function isMistake(text: string): text is Mistake {
  return Object.hasOwn(MISTAKES, text);
}
