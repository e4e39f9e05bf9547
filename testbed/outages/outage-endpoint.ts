import { milliseconds } from '../fault-script/units.ts';
import { scriptedEndpoint } from '../simulation/scripted-endpoint.ts';
import type { Endpoint } from '../simulation/simulated-transport.ts';
import type { Outage, Phase } from './outage.ts';

export interface OutageSpan {
  readonly from: number;
  readonly to: number;
}

/** When an outage that begins at `startsAt` happens; both ends by the clock of the simulation. */
export function spanOf({ phases }: Outage, startsAt: number): OutageSpan {
  return { from: startsAt, to: startsAt + phases.reduce((sum, { lasts }) => sum + milliseconds(lasts), 0) };
}

/** An endpoint that is well but for the outage, which begins at `startsAt` by the clock of the simulation. */
export function outageEndpoint(outage: Outage, startsAt: number, seed = 0): Endpoint {
  const well = scriptedEndpoint('delay:120ms~0.5 x*', seed);
  let begins = startsAt;
  const phases = outage.phases.map((phase, index) => {
    const from = begins;
    begins += milliseconds(phase.lasts);
    return { from, to: begins, endpoint: endpointOf(phase, seed + index) };
  });
  return (post) => {
    const phase = phases.find(({ from, to }) => post.at >= from && post.at < to);
    return (phase?.endpoint ?? well)(post);
  };
}

function endpointOf(phase: Phase, seed: number): Endpoint {
  if (phase.script !== undefined) return scriptedEndpoint(phase.script, seed);
  const { failure } = phase;
  return () => ({ result: { kind: 'failed', failure, detail: '' } });
}
