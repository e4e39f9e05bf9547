import type { Script, Step } from '../../index.ts';

// Checked by the compiler alone: what must not compile does not.

export const good: Script = [
  { status: 503, times: 2 },
  { delay: { lognormal: { median: '800ms', sigma: 0.5 } }, chance: '30%', times: 'always' },
  { status: 503, silence: 'headers', on: ['track'] },
  {},
];

export const bad: readonly Step[] = [
  // @ts-expect-error -- a malformed answer has no status
  { malformed: 'chunk', status: 200 },
  // @ts-expect-error -- two endings exclude each other
  { reset: 'request', close: 'request' },
  // @ts-expect-error -- a reset sends no body
  { reset: 'request', body: 'x' },
  // @ts-expect-error -- a duration needs a unit
  { delay: '6' },
  // @ts-expect-error -- a size is no duration
  { delay: '6KB' },
  // @ts-expect-error -- only the event types of webhooks
  { on: ['order'] },
  // @ts-expect-error -- no such stage
  { silence: 'nowhere' },
  // @ts-expect-error -- no such word
  { stauts: 503 },
];
