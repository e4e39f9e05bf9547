import { assertPlayable } from '../fault-script/back-end.ts';
import { ScriptError } from '../fault-script/script-error.ts';
import { toScript } from '../fault-script/script.ts';
import type { Script } from '../fault-script/step.ts';
import { OUTAGES } from '../outages/outages.ts';
import { SOCKETS } from '../receiver/performer.ts';
import { FlagError } from './flag-values.ts';

/** The error shows the script with a mark under the column. */
export function readScript(flag: string, text: string | undefined): Script | undefined {
  if (text === undefined) return undefined;
  if (OUTAGES.some(({ name }) => name === text))
    throw new FlagError(
      `${flag}: ${text} is an outage, and no script; play it with --outage ${text}, or in virtual time: npx waybill-simulate --outage ${text}`,
    );
  try {
    const script = toScript(text);
    assertPlayable(script, SOCKETS);
    return script;
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    const mark =
      error.column === undefined || /[\n\t]/.test(text) ? '' : `\n  ${text}\n  ${' '.repeat(error.column - 1)}^`;
    throw new FlagError(`${flag}: ${error.message}${mark}`, { cause: error });
  }
}
