import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ReceiverClock } from './receiver-clock.ts';
import type { Turn } from '../fault-script/player.ts';
import type { Endpoint, Endpoints } from './endpoints.ts';
import type { Ending } from './exchange.ts';
import { during } from './exchange.ts';
import { applicationFor, forward } from './forwarding.ts';
import type { Handlers } from './listener.ts';
import { perform } from './performer.ts';
import type { PlayedTurn } from './playback.ts';
import { endsAt } from './playback.ts';
import type { Received, ReceiverEvent } from './received.ts';
import { arrivalOf } from './recorder.ts';

export interface Desk {
  readonly clock: ReceiverClock;
  readonly endpoints: Endpoints;
  readonly tell: (event: ReceiverEvent) => void;
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
  if (desk.endpoints.areSeveral) return false;
  const { rest } = desk.endpoints;
  const turn = rest.playback.turnUnread(socket);
  if (turn === undefined) return false;
  const unread = endsAt('connect', turn);
  if (unread) void turnAway(desk, rest, turn, socket);
  else rest.playback.giveAhead(socket, turn);
  return unread;
}

async function serve(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { socket } = request;
  const endpoint = desk.endpoints.at(request.url ?? '');
  const { playback, recorder } = endpoint;
  const ahead = playback.turnUnread(socket);
  if (ahead !== undefined && endsAt('upload', ahead)) return turnAway(desk, endpoint, ahead, socket, response);
  const body = await readBody(request);
  if (body === undefined) return unreadable(desk, 'it broke off in the middle of its body');
  const { path, application } = endpoint;
  const arrival = { ...arrivalOf(request, body, desk.clock.now()), endpoint: path, application };
  const turnFor = (type: string | undefined) => ahead ?? playback.turn(type);
  const received = await recorder.record(arrival, turnFor, desk.tell);
  const ending = await answer(desk, received, socket, response);
  if (ending === 'left') desk.tell({ kind: 'left', request: received, afterMs: desk.clock.now() - received.at });
}

async function answer(desk: Desk, received: Received, socket: Socket, response: ServerResponse): Promise<Ending> {
  const { clock } = desk;
  const { turn } = received;
  const application = applicationFor(received);
  if (application === undefined) return play(desk, turn, socket, response);
  const forwarded = await during(socket, async (over) => {
    if (turn.delayMs > 0) await clock.sleep(turn.delayMs, over);
    return over.aborted ? undefined : forward(application, received, response, { clock, over });
  });
  if (forwarded === undefined) return 'left';
  desk.tell({ kind: 'forwarded', request: received, answer: forwarded });
  return 'completed';
}

async function turnAway(
  desk: Desk,
  { path }: Endpoint,
  turn: PlayedTurn,
  socket: Socket,
  response?: ServerResponse,
): Promise<void> {
  desk.tell({ kind: 'turned-away', at: desk.clock.now(), endpoint: path, turn });
  await play(desk, turn, socket, response);
}

async function play({ clock }: Desk, turn: Turn, socket: Socket, response?: ServerResponse): Promise<Ending> {
  return during(socket, async (over) => perform(turn, { socket, response, clock, over }));
}

function unreadable({ clock, tell }: Desk, reason: string): void {
  tell({ kind: 'unreadable', at: clock.now(), reason });
}

/** All of it, or undefined when the sender hung up before its end. */
export async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch {
    return undefined;
  }
}
