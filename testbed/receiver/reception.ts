import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../server/ports/clock.ts';
import type { Turn } from '../fault-script/player.ts';
import type { Ending } from './exchange.ts';
import { during } from './exchange.ts';
import { forward, isLeftToApplication } from './forwarding.ts';
import type { Handlers } from './listener.ts';
import { perform } from './performer.ts';
import { endsAt } from './playback.ts';
import type { Playback } from './playback.ts';
import type { Received, ReceiverEvent } from './received.ts';
import { arrivalOf } from './recorder.ts';
import type { Recorder } from './recorder.ts';

export interface Desk {
  readonly clock: Clock;
  readonly playback: Playback;
  readonly recorder: Recorder;
  readonly tell: (event: ReceiverEvent) => void;
  /** The application that answers where the script would say a plain 200. */
  readonly forward?: string;
}

/** A request's way: first bytes → headers → body → recorded → answered. The script may end it at any of these. */
export function receive(desk: Desk): Handlers {
  return {
    onFirstBytes: (socket) => meet(desk, socket),
    onRequest: (request, response) => void serve(desk, request, response),
    onUnreadable: (reason) => unreadable(desk, reason),
  };
}

/** True when the script deals with the connection unread. */
function meet(desk: Desk, socket: Socket): boolean {
  const turn = desk.playback.turnUnread(socket);
  if (turn === undefined) return false;
  const unread = endsAt('connect', turn);
  if (unread) void turnAway(desk, turn, socket);
  else desk.playback.giveAhead(socket, turn);
  return unread;
}

async function serve(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { socket } = request;
  const ahead = desk.playback.turnUnread(socket);
  if (ahead !== undefined && endsAt('upload', ahead)) return turnAway(desk, ahead, socket, response);
  const body = await readBody(request);
  if (body === undefined) return unreadable(desk, 'it broke off in the middle of its body');
  const arrival = arrivalOf(request, body, desk.clock.now());
  const turnFor = (type: string | undefined) => ahead ?? desk.playback.turn(type);
  const received = await desk.recorder.record(arrival, turnFor, desk.tell);
  const ending = await answer(desk, received, socket, response);
  if (ending === 'left') desk.tell({ kind: 'left', request: received, afterMs: desk.clock.now() - received.at });
}

async function answer(desk: Desk, received: Received, socket: Socket, response: ServerResponse): Promise<Ending> {
  const { turn } = received;
  if (desk.forward === undefined || !isLeftToApplication(turn)) return play(desk, turn, socket, response);
  if (turn.delayMs > 0) await during(socket, async (over) => desk.clock.sleep(turn.delayMs, over));
  await forward(desk.forward, received, response);
  return socket.destroyed ? 'left' : 'completed';
}

async function turnAway(desk: Desk, turn: Turn, socket: Socket, response?: ServerResponse): Promise<void> {
  desk.tell({ kind: 'turned-away', at: desk.clock.now(), turn });
  await play(desk, turn, socket, response);
}

async function play({ clock }: Desk, turn: Turn, socket: Socket, response?: ServerResponse): Promise<Ending> {
  return during(socket, async (over) => perform(turn, { socket, response, clock, over }));
}

function unreadable({ clock, tell }: Desk, reason: string): void {
  tell({ kind: 'unreadable', at: clock.now(), reason });
}

/** All of it, or undefined when the sender hung up before its end. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch {
    return undefined;
  }
}
