export const HELP = `Waybill simulation: the delivery engine of production, hours of it in
milliseconds.

  npx waybill-simulate --outage brown-out --hours 4
  npx waybill-simulate --outage dead --against first-wait=1m,max-wait=1h
  npx waybill-simulate --seeds 10000

An outage, as a picture in the terminal and as a report
  --outage <name>       one of those that --list tells
  --list                all outages, with what happens in each
  --hours <number>      how long time runs; default 4
  --events <number>     for each destination, over nine tenths of the time;
                        default as many as show the outage: 120 at least, and
                        some in each of its phases
  --destinations <n>    default 1
  --webhooks <n>        of each destination, 1 to 5; default 1
  --seed <number>       another course of chances and waits; default 1
  --policy <figures>    instead of the policy in production, by commas:
                        window=4h, deadline=5s, first-wait=10s, max-wait=10m,
                        park-after=10, per-destination=32, ramp-start=4
  --against <figures>   a second policy beside the first
  --report <file>       where the report goes, .html or .svg; default a file in
                        the temporary folder
  --json                the figures as one JSON object for each policy, and no
                        picture

Worlds of mixed faults, in which the rules of delivery must hold; without any
flag, a thousand of them. Some sources have several destinations, and some
destinations limits, an order, signatures, or a secret that is rotated
  --seeds <number>      how many worlds; default 1000
  --from <number>       the first seed; default 1

  --help                this text

Exit code: 0 when all invariants hold, 1 when one is broken, 2 for a wrong flag
or a report that cannot be written.`;
