import { SCHEME_HELP } from './scheme-help.ts';

export const HELP = `Waybill receiver: a webhook endpoint that shows what comes, and answers as you
say.

  npx waybill-receiver --port 9000 --secret s3cret --script "503x2,delay:6s,200"
  npx waybill-receiver replay <file> --to <url>
  npx waybill-receiver redact <file> > fixture.jsonl
  npx waybill-receiver diff <before> <after>

It prints the address of a page, which shows what arrives, with the verdict on
each signature, and sends it on to your endpoint. The token in the address lets
nobody else look: keep it to yourself.

Flags
  --port <number>     default 9000; 0 takes a free one
  --host <address>    default 127.0.0.1, this machine alone; 0.0.0.0 is every
                      address of it, and those that others reach are listed
  --secret <text>     the destination's shared secret: checks signatures
  --scheme <name>     how the sender signs: waybill (default), stripe, github,
                      standard-webhooks, slack, shopify, twilio or custom
  --script <steps>    what it answers, step by step; the last step repeats.
                      Default 200
  --seed <number>     another course for chances and random delays; default 0
  --endpoint </path=steps>
                      a path with a script of its own; can be given often. Other
                      paths are answered by --script, and with 404 without it
  --endpoint-secret </path=text>
                      the shared secret of one endpoint
  --outage <name>     plays an outage, phase by phase, from the start on; then
                      all is well. What sockets cannot play is refused
  --speed <number>    the phases pass so many times as fast; default 1
  --tls [fault]       speaks HTTPS, with certificates made on the spot; says
                      which file to trust
  --forward <url>     your application answers where the script says 200: raw
                      bytes go there
  --record <file>     adds every request to a file, for replay; header values
                      are in it
  --har <file>        writes an HTTP archive (HAR 1.2); header values are in it
  --control-port <number>
                      the page on this port, and a control API for programs on
                      this machine: change scripts, list requests, wait, reset.
                      It is described at /v1/openapi.json
  --json              one JSON object a line, and no page without --control-port
  --help              this text

Replay sends the requests of a recording again, one after another, with the
same bytes and headers
  --to <url>          where to. A URL with a path gets all of them there; one
                      without a path gets each at the path that was asked
  --secret, --scheme  each request is signed anew, with a time of now

Redact writes a recording without its credentials, to keep it with the tests
  --secret <text>     replaced wherever it stands; can be given often

Diff tells in words what changed between two recordings of a sender: kinds of
events, headers, fields of bodies
  --json, --help      as above

${SCHEME_HELP}

Faults of TLS
  none (as --tls alone), self-signed, expired, not-yet-valid, wrong-host,
  unknown-ca, unknown-ca-sent-along, missing-intermediate,
  issuer-is-no-authority, forged-signature, old-version, other-protocol,
  handshake-stall, handshake-reset, no-tls

Steps, with commas between them
  503               a status             503x2                twice; x* always
  delay:6s          200, but late        503+delay:1s..3s     + joins parts
  delay:800ms~0.5   lognormal delay      503+30% x*           with a chance
  track:503         for one event type   track|page:503       for several
  302+to:self       a redirect           429+retry-after:30s  asks to wait
  200+body:"hi"     with a body          200+header:"A: b"    with a header
  200+size:2GB      a huge body          200+size:1GB+gzip    also size:endless
  drip:1B/1s        a body in drops      drip-headers:1B/1s   a head in drops
  interim:103x1000  1xx answers first    header-size:10MB     a huge header
  silence:STAGE     nothing more comes   reset:STAGE          a TCP reset
  malformed:KIND    no HTTP              close:STAGE          an early end

  STAGE  connect, upload, request, headers, body, answer
  KIND   status-line, http-0.9, header, length-over, length-under, length-twice,
         chunk, garbage
  429+retry-after-date:30s asks to wait with a date.

Exit code: 0 when all holds, or nothing differs; 1 when something differs, a
signature was invalid or missing though a secret is given, an application did
not answer, a file could not be written, a replayed request was not answered
2xx, or when it cannot listen; 2 for a wrong flag, or a recording that diff or
redact cannot read.`;
