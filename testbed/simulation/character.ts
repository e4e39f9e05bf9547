import type { Random } from '../../server/ports/random.ts';
import type { Failure } from '../../server/ports/transport.ts';
import { answers, type SimulatedAnswer } from './simulated-transport.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** How one simulated endpoint behaves over time: what it does with a request at a moment, in ms since the start. */
export interface Character {
  readonly name: string;
  readonly respond: (at: number) => SimulatedAnswer;
}

type Maker = (random: Random) => Character['respond'];

/** The kinds of endpoint that a mixed world is made of. */
const KINDS: Readonly<Record<string, Maker>> = {
  healthy: (random) => () => ({ afterMs: 5 + random() * 200, result: answers(200).result }),
  flaky: (random) => () => answers(random() < 0.4 ? 503 : 200),
  slow: (random) => () => ({ afterMs: 3 * SECOND + random() * 4 * SECOND, result: answers(200).result }),
  outage: (random) => {
    const from = random() * 30 * MINUTE;
    const to = from + random() * 60 * MINUTE;
    return (at) => (at >= from && at < to ? failed('connect_refused') : answers(200));
  },
  dead: () => () => failed('connect_timeout'),
  hanging: () => () => ({ afterMs: 60 * SECOND, result: answers(200).result }),
  refusing: (random) => () => answers(random() < 0.5 ? 404 : 410),
  throttling: (random) => () => (random() < 0.5 ? answers(429, String(Math.ceil(random() * 120))) : answers(200)),
  untrusted: () => () => failed('tls_untrusted'),
  flapping: (random) => {
    const period = MINUTE + random() * 10 * MINUTE;
    return (at) => (Math.floor(at / period) % 2 === 0 ? failed('dns_error') : answers(200));
  },
};

/** An endpoint drawn at random. */
export function drawCharacter(random: Random): Character {
  const names = Object.keys(KINDS);
  const name = names[Math.floor(random() * names.length)] ?? 'healthy';
  const make = KINDS[name] ?? (() => () => answers(200));
  return { name, respond: make(random) };
}

function failed(failure: Failure): SimulatedAnswer {
  return { result: { kind: 'failed', failure, detail: '' } };
}
