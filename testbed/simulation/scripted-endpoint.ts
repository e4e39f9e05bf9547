import { BEGINNING, play } from '../fault-script/player.ts';
import type { Playhead } from '../fault-script/player.ts';
import { toScript } from '../fault-script/script.ts';
import type { Script } from '../fault-script/step.ts';
import { eventIn, textOf } from '../receiver/received.ts';
import { simulateBehavior } from './simulated-behavior.ts';
import type { Endpoint, SimulatedAnswer, SimulatedPost } from './simulated-transport.ts';

/** An endpoint of a simulation that plays a fault script, in virtual time. */
export function scriptedEndpoint(given: string | Script, seed = 0): Endpoint {
  const script = toScript(given);
  let playhead: Playhead = BEGINNING;
  return ({ at, request }: SimulatedPost): SimulatedAnswer => {
    const type = textOf({ event: eventIn(request.body) }, 'type');
    const next = play(script, playhead, { type }, seed);
    playhead = next.playhead;
    const { behavior, delayMs } = next.turn;
    return simulateBehavior(behavior, { now: at, delayMs, deadlineMs: request.deadlineMs });
  };
}
