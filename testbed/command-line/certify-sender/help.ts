import { SCHEME_HELP } from '../scheme-help.ts';

export const HELP = `Waybill sender certificate: an endpoint that fails in many ways, for any sender
of webhooks; it tells what the sender does.

  npx waybill-certify-sender --listen 127.0.0.1:9090 --budget 10m \\
    --trigger 'curl -fsS localhost:3000/orders -d "{\\"note\\":\\"{mark}\\"}"'

Give the sender the address as that of an endpoint, then run this: the trigger
makes one event each time, and the scenarios follow each other on one address.

What is looked at: retries after 5xx, 429 with Retry-After, resets, garbage and
no answer; when they come; redirects; answers that never end; events side by
side, or in order; a limit of requests; signatures, ids and bodies over retries;
certificates; recovery.

Flags
  --trigger <command>  a shell command that makes the sender send one event. In
                       it, {mark} becomes a text of each event's own: let it
                       show in the webhook, so that events are told apart; {url}
                       becomes an address of the event's own, for senders that
                       are told with each event; {number} counts
  --listen <host:port> where the webhooks come to; default 127.0.0.1:9090
  --budget <duration>  the time for all; default 10m. What there was no time for
                       is not judged
  --retry-within <duration>
                       the sender promises to try failed events again within
                       this time. Without it, a retry that does not come is not
                       judged
  --max-per-second <number>
                       the sender promises to send at most so many requests in
                       a second, evenly, retries too. Without it, its rate is
                       not judged
  --ordered            the sender promises to send events one after the other,
                       in the order in which the trigger makes them (of one
                       user, where it keeps an order for each). Without it, that
                       is not judged
  --secret <text>      the secret that the sender signs with; signatures are not
                       judged without it
  --scheme <name>      how it signs: waybill (default), stripe, github,
                       standard-webhooks, slack, shopify, twilio or custom
  --id-field <name>    the header, or the field of a JSON body, that says which
                       event it is; default one of the common ones
  --tls [file]         speaks HTTPS, and shows wrong certificates too. The
                       sender has to trust the authority in the file; it is
                       made there when it is new, with its key in <file>.key
  --junit <file>       the results for CI
  --html <file>        a page for people, with the schedule drawn
  --svg <file>         the schedule alone
  --statement <file>   a signed statement in JSON; check it with
                       waybill-certify --verify
  --key <file>         the private ed25519 key that signs it, in PEM; default
                       one that is thrown away
  --json               one JSON object a line
  --help               this text

${SCHEME_HELP}

Exit code: 0 when nothing failed; 1 when something did, or when the first event
did not arrive; 2 for a wrong flag, a port that is in use, a trigger that fails,
or a file that is invalid.`;
