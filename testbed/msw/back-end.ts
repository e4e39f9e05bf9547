import type { BackEnd } from '../fault-script/back-end.ts';
import { refusesInProcess } from '../in-process/refusals.ts';

export const MSW: BackEnd = {
  name: 'MSW',
  refuses(step) {
    const stage = step.silence ?? step.reset ?? step.close;
    if (stage === 'headers' && step.silence !== undefined)
      return 'it holds the head back until the body begins; take the stage body, or use a receiver';
    if (stage === 'headers' || (stage === 'body' && step.silence === undefined))
      return 'fetch forgets the head when a simulated body breaks off; take the stage request, or use nock or a receiver';
    return refusesInProcess(step);
  },
};
