import { SCHEME_HELP } from '../scheme-help.ts';

export const HELP = `Waybill certificate: sends real deliveries to your webhook receiver, and tells
whether it keeps the contract.

  npx waybill-certify --url http://127.0.0.1:3000/hooks --secret s3cret

What is sent: each of the seven kinds; good, missing, wrong and forged
signatures; altered bodies; repeats one after another and at once; events out of
order; unknown kinds and fields; awkward values; malformed, large and slow
requests; many on one connection and many at once.

Flags
  --url <url>          where the receiver listens; on this machine, unless
                       --allow-remote is given
  --secret <text>      the shared secret, as in the destination's sharedSecret
  --scheme <name>      how the sender signs: waybill (default), stripe, github,
                       standard-webhooks, slack, shopify, twilio or custom
  --event <file>       an event of that sender, which the receiver accepts
  --id-field <name>    its field that says which event it is; default id
  --header <text>      sent with it, such as "X-GitHub-Event: push"; repeatable
  --observer <url>     answers {"handled": <times>} for ?messageId=…: shows that
                       repeats are handled once, and forgeries not at all;
                       skipped without it
  --allow-remote       the receiver may be elsewhere; it must be yours
  --junit <file>       the results for CI
  --html <file>        a page for people
  --statement <file>   a signed statement in JSON
  --key <file>         the private ed25519 key that signs it, in PEM; default
                       one that is thrown away
  --json               one JSON object a line
  --verify <file>      checks a statement, offline
  --public-key <file>  with --verify: the key, in PEM, that must have made it
  --openssl <folder>   with --verify: writes what openssl needs to check it
                       without this tool
  --help               this text

${SCHEME_HELP}

Exit code: 0 when the receiver keeps the contract, or the statement is genuine;
1 when not, or when the first event was not accepted and nothing was judged;
2 for a wrong flag, a receiver or an observer that is not there or may not be
asked, or a file that is invalid.`;
