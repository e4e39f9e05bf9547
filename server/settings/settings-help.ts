/** What `--help` prints. */
export const HELP = `Waybill, the event router: takes events under /v1, is managed under /v1beta, and
delivers to the webhooks of its destinations.

  npm start -- --token my-first-token-0123456789 --allow-networks 127.0.0.0/8

Each flag is a variable of the environment as well: WAYBILL_STORAGE for
--storage. The flag wins.

  --host <address>            the address to listen on; default 127.0.0.1
  --port <number>             0 takes a free one; default 8080
  --storage <place>           file:<folder>, which one router uses at a time, or
                              postgres://<user>:<password>@<host>/<database>,
                              which many share; default file:./data
  --data-dir <folder>         short for --storage file:<folder>; default none
  --secret-keys <keys>        encrypt secrets in the storage: 32 bytes in base64
                              each, by commas, the newest first; default none
  --secret-keys-file <file>   the same, in a file; default none
  --token <text>              the first access token of an empty store; default
                              one that is made, and shown once
  --workspace <slug>          made on an empty store; default main
  --allow-networks <blocks>   CIDR blocks, by commas, that webhooks may reach
                              although they are not public; default none
  --egress-proxy <url>        http://<host>:<port> of a proxy that webhooks are
                              sent through, and that looks up their names;
                              default none
  --rate-limit <number>       requests of the Config API a minute for each
                              token, 0 for no limit; default 200
  --retry-first-wait <time>   the wait after the first failed round, from which
                              later ones double; default 10s
  --retention <time>          how long ended deliveries stay readable;
                              default 7d
  --audience-interval <time>  between two runs of an audience or computed trait,
                              and up to half of it more; default 2h
  --profiles <policy>         audiences, or always, which keeps profiles before
                              an audience needs them; default audiences
  --max-connections <number>  open at once; default 10000
  --max-requests <number>     of each API, at work at once; default 1000
  --max-body-memory <size>    of bodies of each API at once, and of answers of
                              the Config API that are not read; default 64MB
  --headers-timeout <time>    for the headers of a request; default 20s
  --request-timeout <time>    for a whole request; default 60s
  --response-timeout <time>   a peer may leave an answer unread; default 30s
  --public-url <url>          where others reach this router; default none
  --tls-cert <file>           serve https with this certificate, in PEM; default
                              none
  --tls-key <file>            its key, in PEM; default none
  --trusted-proxies <blocks>  CIDR blocks, by commas, of the proxies whose
                              X-Forwarded-For is believed; default none
  --docs <on|off>             whether /docs is served, --no-docs is short for
                              off; default on
  --console <on|off>          whether /console is served, --no-console is short
                              for off; default on
  --unknown-keys <policy>     reject, or accept, which answers unknown write
                              keys 200 and counts them; default reject
  --log-level <level>         trace, debug, info, warn, error, fatal or silent;
                              default info
  --help                      this text

Times are written 250ms, 6s, 4h or 7d, sizes 64MB. docs/settings.md tells more.

Exit code: 0 when stopped by a signal, 1 when it could not start or broke, 2 for
a setting that is invalid.`;

export function wantsHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}
