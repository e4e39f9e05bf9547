import type { Socket } from 'node:net';
import { assertPlayable } from '../fault-script/back-end.ts';
import type { BackEnd } from '../fault-script/back-end.ts';
import { actsBeforeReading } from '../fault-script/check.ts';
import { BEGINNING, play } from '../fault-script/player.ts';
import type { Playhead, Turn } from '../fault-script/player.ts';
import { toScript } from '../fault-script/script.ts';
import type { EventType, Script } from '../fault-script/step.ts';

const WELL = '200';

/** A turn, and the script that it is of: scripts change while they are played. */
export interface PlayedTurn extends Turn {
  readonly script: Script;
}

/** A script being played by a back-end, which refuses what it cannot do. */
export class Playback {
  readonly #backEnd: BackEnd;
  readonly #seed: number;
  /** What it plays when nothing stands in its place. */
  #given: Script;
  #script: Script;
  #playhead: Playhead = BEGINNING;
  /** Turns that were given to a connection at its first bytes, until its request takes them up. */
  readonly #ahead = new WeakMap<Socket, PlayedTurn>();

  constructor(backEnd: BackEnd, script: string | Script = WELL, seed = 0) {
    this.#backEnd = backEnd;
    this.#seed = seed;
    this.#given = playable(script, backEnd);
    this.#script = this.#given;
  }

  get script(): Script {
    return this.#script;
  }

  /** For a while in the place of the given script, which is played from its beginning afterwards. */
  playInstead(script: string | undefined): void {
    this.#script = script === undefined ? this.#given : playable(script, this.#backEnd);
    this.rewind();
  }

  /** Plays from the beginning; turns already given stay. */
  setScript(script: string | Script): void {
    this.#given = playable(script, this.#backEnd);
    this.#script = this.#given;
    this.rewind();
  }

  rewind(): void {
    this.#playhead = BEGINNING;
  }

  /**
   * The turn of a request whose event is not read; undefined when that can wait. It cannot when some step acts before
   * reading, and then no step depends on the event (toSequence).
   */
  turnUnread(socket: Socket): PlayedTurn | undefined {
    const ahead = this.#ahead.get(socket);
    if (ahead === undefined && !this.#script.some(actsBeforeReading)) return undefined;
    const turn = ahead ?? this.turn(undefined);
    this.#ahead.delete(socket);
    return turn;
  }

  giveAhead(socket: Socket, turn: PlayedTurn): void {
    this.#ahead.set(socket, turn);
  }

  /** What the next request gets: for each event type that the script names, then for all others. */
  ahead(): readonly { readonly type: EventType | undefined; readonly turn: PlayedTurn }[] {
    const named = new Set(this.#script.flatMap(({ on = [] }) => on));
    return [...named, undefined].map((type) => {
      const { turn } = play(this.#script, this.#playhead, { type }, this.#seed);
      return { type, turn: { ...turn, script: this.#script } };
    });
  }

  turn(type: string | undefined): PlayedTurn {
    const { turn, playhead } = play(this.#script, this.#playhead, { type }, this.#seed);
    this.#playhead = playhead;
    return { ...turn, script: this.#script };
  }
}

/** Whether the turn ends a request at this stage, so that no later one is reached. */
export function endsAt(stage: 'connect' | 'upload', { behavior }: Turn): boolean {
  if (behavior.kind !== 'stop') return false;
  return behavior.at === 'connect' || behavior.at === stage;
}

function playable(given: string | Script, backEnd: BackEnd): Script {
  const script = toScript(given);
  assertPlayable(script, backEnd);
  return script;
}
