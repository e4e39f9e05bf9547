/** The part of every command's help about senders that have no name here. */
export const SCHEME_HELP = `Scheme custom: any sender that signs with HMAC, keyed by the text of a secret
  --signature-header <name>
                      the header of the signature; needed
  --algorithm <name>  SHA-256 (default), SHA-1 or SHA-512
  --encoding <name>   hex (default) or base64
  --prefix <text>     what stands before the digest, such as sha256=
  --timestamp-header <name>
                      a header with the seconds since 1970; five minutes later a
                      signature is a replay
  --payload <text>    what is signed, with {body}, {timestamp} and {url} in it;
                      default {body}, or {timestamp}.{body}
  --id-header <name>  the header that says which event it is`;
