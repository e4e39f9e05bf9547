import { useEffect, useState } from 'react';
import { relative } from './relative.ts';

const EXACT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });
const TIME_OF_DAY = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
});

/** A time from now, with the exact one on hover. */
export function Time({ value }: { readonly value: string }) {
  const now = useNow();
  return (
    <time dateTime={value} title={`${EXACT.format(new Date(value))}\n${value}`} className="nowrap">
      {relative(Date.parse(value) - now)}
    </time>
  );
}

/** The time of day, to the millisecond. */
export function ExactTime({ value }: { readonly value: string }) {
  const date = new Date(value);
  return (
    <time dateTime={value} title={EXACT.format(date)} className="nowrap number">
      {TIME_OF_DAY.format(date)}
    </time>
  );
}

/** When the next try is due; what is past that waits for its turn. */
export function Due({ value }: { readonly value: string }) {
  return Date.parse(value) > useNow() ? <Time value={value} /> : <span title={value}>due</span>;
}

const ISO_TIME = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/** A sentence of the API, with the times in it as people read them. */
export function Told({ text }: { readonly text: string }) {
  // Every second part is a time, since the pattern is a group.
  const parts = text
    .split(ISO_TIME)
    .map((part, index) => (index % 2 === 1 ? <ExactTime key={index} value={part} /> : part));
  return <span>{parts}</span>;
}

export function durationText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
}

const TICK_MS = 5_000;

/** Moves on while a page is open. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
