import type { Colors, Paint } from './colors.ts';
import type { Turn } from '../fault-script/player.ts';
import { printStep } from '../fault-script/printer.ts';
import type { Script } from '../fault-script/step.ts';

/** What was done, in one word: a status, or what came instead of one. */
export function answerText({ behaviour }: Turn): string {
  switch (behaviour.kind) {
    case 'answer':
      return String(behaviour.status);
    case 'stop':
      return `${behaviour.manner}:${behaviour.at}`;
    case 'malformed':
      return `malformed:${behaviour.how}`;
    case 'unreachable':
      return `unreachable:${behaviour.how}`;
  }
}

/** Green for what ends a delivery, yellow for what is worth another try, red for the rest. */
export function answerColor({ behaviour }: Turn, colors: Colors): Paint {
  if (behaviour.kind !== 'answer') return colors.magenta;
  if (behaviour.status < 300) return colors.green;
  return behaviour.status >= 500 || behaviour.status === 429 ? colors.yellow : colors.red;
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

/** `850 ms`, `6 s`, `2.5 s`, `1 m 30 s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
}
