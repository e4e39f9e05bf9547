import type { Turn } from '../fault-script/player.ts';
import type { Colors, Paint } from './colors.ts';

export { answerText, reasonText } from '../receiver/turn-words.ts';

/** Green for what ends a delivery, yellow for what is worth another try, red for the rest. */
export function answerColor({ behavior }: Turn, colors: Colors): Paint {
  if (behavior.kind !== 'answer') return colors.magenta;
  if (behavior.status < 300) return colors.green;
  return behavior.status >= 500 || behavior.status === 429 ? colors.yellow : colors.red;
}

/** `850 ms`, `6 s`, `2.5 s`, `1 m 30 s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
}
