import type { Outcome } from '../../server/model/outcome.ts';
import { toScript } from '../fault-script/script.ts';
import type { Step } from '../fault-script/step.ts';

export type BackEndName = 'sockets' | 'nock' | 'msw';

/** One step, and what the delivery engine makes of it on each back-end that plays it; a back-end without an entry refuses. */
export interface ParityRow {
  readonly step: string;
  readonly outcomes: { readonly [B in BackEndName]?: Outcome };
}

function everywhere(outcome: Outcome, ...steps: readonly string[]): ParityRow[] {
  return steps.map((step) => ({ step, outcomes: { sockets: outcome, nock: outcome, msw: outcome } }));
}

function sockets(outcome: Outcome, ...steps: readonly string[]): ParityRow[] {
  return steps.map((step) => ({ step, outcomes: { sockets: outcome } }));
}

/** Every word of the language, in every kind of value that changes what a sender sees. */
export const PARITY: readonly ParityRow[] = [
  ...everywhere('delivered', '200', '201', '204', '299', 'track:200', '30%+seed:7+200', '200x2', 'delay:20ms'),
  ...everywhere('redirect_refused', '301+to:self', '302+to:self', '307+to:http://127.0.0.1:9/', '308+to:self', '304'),
  ...everywhere('http_4xx', '400', '401', '403', '404', '410', '413'),
  ...everywhere('http_408', '408'),
  ...everywhere('http_425', '425'),
  ...everywhere('http_429', '429', '429+retry-after:30s', '429+retry-after-date:30s'),
  ...everywhere('http_5xx', '500', '503', '599', '503+body:"busy"', '503+retry-after:7s'),
  ...everywhere('delivered', '200+header:"X-A: b"', 'body:"hi"', 'body:"hi"+gzip', 'size:100KB', 'size:2GB'),
  ...everywhere('delivered', 'body:"hi there"+drip:2B/10ms', 'size:1MB+drip:1B/50ms', 'silence:body'),
  ...everywhere('http_5xx', '503+silence:body'),
  ...everywhere('first_byte_timeout', 'delay:1m', 'delay:1m..2m', 'delay:1m~0.1', 'silence:request'),
  ...['reset:request', 'close:request'].map((step) => ({
    step,
    outcomes: { sockets: 'reset', nock: 'reset', msw: 'protocol_error' } as const,
  })),
  { step: 'reset:body', outcomes: { sockets: 'delivered', nock: 'delivered' } },
  { step: 'close:body', outcomes: { sockets: 'delivered', nock: 'delivered' } },
  { step: '503+close:body', outcomes: { sockets: 'http_5xx', nock: 'http_5xx' } },
  { step: 'header-size:10MB', outcomes: { sockets: 'protocol_error', nock: 'reset', msw: 'reset' } },
  { step: 'unreachable:dns_error', outcomes: { nock: 'dns_error', msw: 'protocol_error' } },
  { step: 'unreachable:connect_refused', outcomes: { nock: 'connect_refused', msw: 'protocol_error' } },
  { step: 'unreachable:connect_timeout', outcomes: { nock: 'connect_timeout', msw: 'protocol_error' } },
  ...sockets('delivered', 'size:endless', 'drip:1B/50ms', 'size:1GB+gzip', 'interim:103x3'),
  ...sockets('protocol_error', 'interim:103x1000'),
  ...sockets('delivered', 'silence:headers', 'reset:headers', 'close:headers', 'reset:answer', 'close:answer'),
  ...sockets('first_byte_timeout', 'drip-headers:1B/1s', 'silence:connect', 'silence:upload'),
  ...sockets('reset', 'reset:connect', 'reset:upload', 'close:connect', 'close:upload'),
  ...sockets('protocol_error', 'malformed:status-line', 'malformed:http-0.9', 'malformed:header'),
  ...sockets('protocol_error', 'malformed:length-twice', 'malformed:garbage'),
  ...sockets('delivered', 'malformed:length-over', 'malformed:length-under', 'malformed:chunk'),
];

/** What virtual time must make of a row: what the network makes of it, and where no socket can, what nock does. */
export function simulatedOutcome({ outcomes: { sockets: real, nock } }: ParityRow): Outcome | undefined {
  return real ?? nock;
}

export function stepOf({ step }: ParityRow): Step {
  const [parsed] = toScript(step);
  if (parsed === undefined) throw new Error(`${step} is no step`);
  return parsed;
}
