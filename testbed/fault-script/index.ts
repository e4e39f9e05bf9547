/** The language of fault scripts, for tools that read, check or play them. */
export { assertPlayable } from './back-end.ts';
export type { BackEnd } from './back-end.ts';
export type { Answer, Behavior, Filling, Malformed, OutOfReach, Stop, Trickle } from './behavior.ts';
export { BEGINNING, play } from './player.ts';
export type { Playhead, Request, Turn } from './player.ts';
export { printStep } from './printer.ts';
export { checkScript } from './script.ts';
export type { Place } from './script-error.ts';
export { EVENT_TYPES, MALFORMATIONS, STAGES, UNREACHABLES } from './step.ts';
export type {
  AnswerStep,
  Delay,
  Drip,
  Duration,
  EventType,
  Malformation,
  MalformedStep,
  Percent,
  Size,
  Stage,
  StopStep,
  Unreachable,
  UnreachableStep,
  Word,
  Words,
} from './step.ts';
