import type { Turn } from '../fault-script/player.ts';
import { printStep } from '../fault-script/printer.ts';
import type { Script } from '../fault-script/step.ts';

/** What was done, in one word: a status, or what came instead of one. */
export function answerText({ behavior }: Turn): string {
  switch (behavior.kind) {
    case 'answer':
      return String(behavior.status);
    case 'stop':
      return `${behavior.manner}:${behavior.at}`;
    case 'malformed':
      return `malformed:${behavior.how}`;
    case 'unreachable':
      return `unreachable:${behavior.how}`;
  }
}

/** Why: the step of the script that said so. */
export function reasonText({ step, time, repeats }: Turn, script: Script): string {
  const written = step === undefined ? undefined : script[step - 1];
  if (step === undefined || written === undefined) return 'no step is for it';
  const again = repeats ? ', repeats' : timeText(time, written.times);
  return `step ${step} of ${script.length} (${printStep(written)})${again}`;
}

function timeText(time: number, times: number | 'always' | undefined): string {
  if (times === undefined) return '';
  return times === 'always' ? `, time ${time}` : `, time ${time} of ${times}`;
}
