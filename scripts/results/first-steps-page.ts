import { markdownTable, type Origin, originLine, readResult } from './result.ts';

/** What is typed at once, and for how long it goes on; a server until it says where it is. */
export interface FirstStep {
  readonly typed: string;
  readonly seconds: number;
}

export type FirstStepsResult = Origin & { readonly steps: readonly FirstStep[] };

/** In seconds: so much patience somebody has who has never seen it. */
export const FIVE_MINUTES = 300;

export function firstStepsPage(): string {
  const { steps, ...origin } = readResult('first-steps');
  const total = steps.reduce((sum, { seconds }) => sum + seconds, 0);
  const rows = steps.map(({ typed, seconds }) => [`\`${typed.replaceAll('\n', '` `')}\``, seconds.toFixed(1)]);
  return `# The first steps with the testbed

What is typed in [First test](../testbed.md#first-test), in a fresh clone and in an empty folder beside it, with an empty cache of npm: how long somebody waits, beside reading and typing. At most ${FIVE_MINUTES} s.

${originLine(origin)}

${markdownTable(['typed', 'seconds'], [...rows, ['all', total.toFixed(1)]])}
`;
}
