/** `0`, `350 ms`, `4.2 s`, `3 min 20 s`, `2 h 5 min`; a dash for what there is none of. */
export function spanText(ms: number | undefined): string {
  if (ms === undefined) return '–';
  if (ms === 0) return '0';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Number((ms / 1_000).toFixed(1))} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return joined(minutes, 'min', Math.floor((ms % 60_000) / 1_000), 's');
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/** `0:00`, `1:30`: hours and minutes of the run. */
export function clockText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

/** Steps between the marks of a time axis, so that it has at most so many of them. */
export function axisStep(durationMs: number, most: number): number {
  const steps = [5, 10, 15, 30, 60, 120, 240, 480, 1_440, 10_080].map((minutes) => minutes * 60_000);
  return steps.find((step) => durationMs / step <= most) ?? durationMs;
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
