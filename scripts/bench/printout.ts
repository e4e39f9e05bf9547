import type { Bench, Wish } from './bench.ts';
import { type Aim, type Figure, keepsAim } from './figures.ts';

/** For people: a line for each figure, with its aim where it has one. */
export function table({ name }: Bench, wish: Wish, figures: readonly Figure[]): string {
  const width = Math.max(...figures.map(({ what }) => what.length));
  const rows = figures.map((figure) => {
    const { what, value, unit, aim } = figure;
    const wanted = aim === undefined ? '' : `   ${keepsAim(figure) ? '✓' : '✗'} ${aimWords(aim)}`;
    return `  ${what.padEnd(width)}  ${numberWords(value).padStart(10)} ${unit.padEnd(8)}${wanted}`.trimEnd();
  });
  return [`${name}, ${conditions(wish)}`, ...rows].join('\n');
}

/** For machines. */
export function jsonLines({ name }: Bench, { size, isReal }: Wish, figures: readonly Figure[]): string {
  return figures
    .map((figure) => {
      const ratio = figure.id === undefined ? {} : { ratio: figure.value };
      return JSON.stringify({ bench: name, size, isReal, ...figure, ...ratio, keepsAim: keepsAim(figure) });
    })
    .join('\n');
}

function conditions({ runs, size, isReal }: Wish): string {
  const parts = [runs === 1 ? 'one run' : `medians of ${runs} runs`];
  if (size < 1) parts.push(`at ${size} of its size`);
  if (isReal) parts.push('in real time');
  return parts.join(', ');
}

function aimWords(aim: Aim): string {
  return 'atLeast' in aim ? `at least ${numberWords(aim.atLeast)}` : `at most ${numberWords(aim.atMost)}`;
}

/** Large figures without decimals, small ones with two; none has more digits than it deserves. */
export function numberWords(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 100 ? 0 : 2);
}
