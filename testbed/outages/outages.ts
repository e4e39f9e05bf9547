import { nearest } from '../../server/nearest.ts';
import type { Outage, Phase } from './outage.ts';

const FLAP: readonly Phase[] = [
  { lasts: '90s', script: 'unreachable:dns_error x*' },
  { lasts: '2m', script: '200' },
];

/** The outage library: versioned by its names, so that one that is here never changes what it means. */
export const OUTAGES = [
  {
    name: 'deploy-blip',
    story: 'A new version is rolled out: for 30 seconds connections are reset, then answers are slow for a minute.',
    expects: 'every event arrives within a minute or two of its acceptance; the destination is not parked for long',
    phases: [
      { lasts: '30s', script: 'reset:request x*' },
      { lasts: '1m', script: 'delay:800ms~0.4 x*' },
    ],
  },
  {
    name: 'brown-out',
    story:
      'An overloaded database: for ten minutes half of the answers take longer than eight seconds, then for five longer than two.',
    expects: 'slow answers are timeouts and tried again; parked while nothing gets through; nothing is lost',
    phases: [
      { lasts: '10m', script: 'delay:8s~0.5 x*' },
      { lasts: '5m', script: 'delay:2s~0.5 x*' },
    ],
  },
  {
    name: 'certificate-expiry',
    story: 'The certificate runs out at night, and is renewed after ninety minutes.',
    expects: 'no byte of an event is sent meanwhile; the destination is parked; all events arrive after the renewal',
    phases: [{ lasts: '90m', failure: 'tls_expired' }],
  },
  {
    name: 'rate-limit-burst',
    story: 'A rate limiter answers 429 for twelve minutes, with Retry-After in seconds and as a date by turns.',
    expects: 'no event is tried again before the moment that Retry-After names; nothing is lost',
    phases: [
      { lasts: '6m', script: '429+retry-after:60s x*' },
      { lasts: '6m', script: '429+retry-after-date:2m x*' },
    ],
  },
  {
    name: 'dns-flap',
    story: 'A name server that loses the name and finds it again, five times within twenty minutes.',
    expects: 'events get through in the good moments; nothing is lost, and nothing is tried after it has arrived',
    phases: [FLAP, FLAP, FLAP, FLAP, FLAP].flat(),
  },
  {
    name: 'half-open',
    story: 'A firewall forgets the connections: requests are accepted, and never answered, for twenty minutes.',
    expects: 'each attempt ends at its deadline of five seconds; the destination is parked behind one probe',
    phases: [{ lasts: '20m', script: 'silence:request x*' }],
  },
  {
    name: 'challenge-page',
    story: 'A bot guard answers 403 with a page of HTML for fifteen minutes.',
    expects: 'events of that time fail for good, as a 403 is a refusal; those before and after arrive',
    phases: [{ lasts: '15m', script: '403+body:"<html>Prove that you are human</html>" x*' }],
  },
  {
    name: 'slow-body',
    story: 'A proxy is short of bandwidth: the 200 comes at once, and its body takes 5.1 seconds, for fifteen minutes.',
    expects: 'the status alone counts: every event is delivered with its first attempt, and none comes twice',
    phases: [{ lasts: '15m', script: 'size:51B+drip:1B/100ms x*' }],
  },
  {
    name: 'dead',
    story: 'The endpoint is gone, and nobody notices for five hours.',
    expects: 'a bounded number of attempts whatever the backlog; every event has a last try before its window ends',
    phases: [{ lasts: '5h', script: 'unreachable:connect_refused x*' }],
  },
] as const satisfies readonly Outage[];

export type OutageName = (typeof OUTAGES)[number]['name'];

/** The outage of that name; throws for another one, with the names that there are. */
export function outageNamed(name: string): Outage {
  const found = OUTAGES.find((outage) => outage.name === name);
  if (found !== undefined) return found;
  const names = OUTAGES.map((outage) => outage.name);
  const guess = nearest(name, names);
  const hint = guess === undefined ? `there are ${names.join(', ')}` : `did you mean ${guess}?`;
  throw new RangeError(`${JSON.stringify(name)} is no outage; ${hint}`);
}
