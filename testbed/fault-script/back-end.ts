import { printStep } from './printer.ts';
import { ScriptError } from './script-error.ts';
import type { Script, Step } from './step.ts';

/** Something that plays scripts: real sockets, an interceptor inside the process, a simulated network. */
export interface BackEnd {
  readonly name: string;
  /** Why it cannot do this step, and what can; undefined when it can. It must never do something else instead. */
  readonly refuses: (step: Step) => string | undefined;
}

/** Throws a ScriptError for the first step that the back-end refuses. */
export function assertPlayable(script: Script, backEnd: BackEnd): void {
  for (const [index, step] of script.entries()) {
    const reason = backEnd.refuses(step);
    if (reason !== undefined)
      throw new ScriptError({ step: index + 1, seen: printStep(step) }, `${backEnd.name} cannot play it: ${reason}`);
  }
}
