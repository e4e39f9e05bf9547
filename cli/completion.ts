import tab from '@bomb.sh/tab/commander';
import { flagsIn, OPERATOR_COMMANDS } from './operator-commands.ts';
import { createProgram } from './program.ts';
import { EXIT, fail } from './failure.ts';
import type { Terminal } from './terminal.ts';

/**
 * `waybill complete zsh` prints the script that a shell loads; the script asks `waybill complete -- <words>` what may
 * come next.
 */
export async function complete(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = await createProgram({ terminal });
  const word = args[1] ?? '';
  if (Object.hasOwn(OPERATOR_COMMANDS, word)) {
    const { help } = (await OPERATOR_COMMANDS[word]?.load()) ?? { help: '' };
    const command = program.commands.find((one) => one.name() === word);
    for (const flag of flagsIn(help)) command?.option(flag);
  }
  tab(program);
  try {
    await program.parseAsync(['complete', ...args], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    return fail(error, terminal, false);
  }
}
