import { nearest } from '../nearest.ts';
import { VARIABLES } from './settings.ts';

/** For commands that ask a router, and not for the router. */
const OF_COMMANDS = ['WAYBILL_URL'];

/** A variable that looks like a setting and is none, and the setting that it is most likely a slip for. */
export interface UnknownVariable {
  readonly variable: string;
  readonly meant: string | undefined;
}

/** What whoever set it believes to hold, and does not. */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): readonly UnknownVariable[] {
  const known = [...VARIABLES, ...OF_COMMANDS];
  const unknown = Object.keys(env).filter((name) => name.startsWith('WAYBILL_') && !known.includes(name));
  return unknown.map((variable) => ({ variable, meant: nearest(variable, VARIABLES) }));
}
