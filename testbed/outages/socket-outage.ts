import type { Failure } from '../../server/ports/transport.ts';
import { toScript } from '../fault-script/script.ts';
import type { Script, Unreachable } from '../fault-script/step.ts';
import { milliseconds } from '../fault-script/units.ts';
import type { TlsFault } from '../tls/tls-fault.ts';
import type { Outage, Phase } from './outage.ts';

/** What a listening server does in a phase: it plays a script, shows a wrong certificate, or is not there. */
export type SocketPhase = { readonly lastsMs: number } & (
  | { readonly kind: 'script'; readonly script: string }
  | { readonly kind: 'tls'; readonly fault: TlsFault }
  | { readonly kind: 'gone' }
);
type Part = SocketPhase extends infer P ? (P extends unknown ? Omit<P, 'lastsMs'> : never) : never;

const NO_NAMES = 'names are resolved before the connection';
/** The failures that no server can bring about, and why. */
const REFUSED: { readonly [F in Failure]?: string } = {
  dns_error: NO_NAMES,
  blocked_address: 'the sender refuses the address by itself',
  connect_timeout: 'the kernel accepts connections',
  write_timeout: 'the kernel accepts what is written',
  cancelled: 'the sender gives up by itself',
};
const PLAYED: { readonly [F in Failure]?: Part } = {
  connect_refused: { kind: 'gone' },
  tls_untrusted: { kind: 'tls', fault: 'self-signed' },
  tls_expired: { kind: 'tls', fault: 'expired' },
  tls_other: { kind: 'tls', fault: 'old-version' },
  first_byte_timeout: { kind: 'script', script: 'silence:request x*' },
  reset: { kind: 'script', script: 'reset:request x*' },
  protocol_error: { kind: 'script', script: 'malformed:garbage x*' },
};

/** The outage as real sockets play it, its phases `speed` times as fast. Throws a TypeError for a phase that they cannot play. */
export function socketPhases(outage: Outage, speed: number, isEncrypted: boolean): readonly SocketPhase[] {
  return outage.phases.map((phase, index) => {
    const part = partOf(phase, (reason) => {
      throw new TypeError(
        `The outage ${outage.name} cannot be played on sockets: in phase ${index + 1} ${reason}; play it in virtual time with simulate({ outage: '${outage.name}' })`,
      );
    });
    if (part.kind === 'tls' && !isEncrypted)
      throw new TypeError(`The outage ${outage.name} needs TLS; add tls: 'none' (--tls)`);
    return { lastsMs: milliseconds(phase.lasts) / speed, ...part };
  });
}

function partOf(phase: Phase, refuse: (reason: string) => never): Part {
  const failure = phase.script === undefined ? phase.failure : unreachableIn(toScript(phase.script), refuse);
  if (failure === undefined) return { kind: 'script', script: phase.script ?? '200' };
  return PLAYED[failure] ?? refuse(REFUSED[failure] ?? `${failure} comes from no server`);
}

/** The failure that stands for a whole script of it; a part of one cannot be played. */
function unreachableIn(script: Script, refuse: (reason: string) => never): Unreachable | undefined {
  const found = script.flatMap(({ unreachable }) => unreachable ?? []);
  const [first] = found;
  if (first === undefined) return undefined;
  const isWhole = found.length === script.length && found.every((one) => one === first);
  return isWhole ? first : refuse(REFUSED[first] ?? 'an endpoint cannot be gone for some requests only');
}
