import type { BackEnd } from '../fault-script/back-end.ts';
import { refusesInProcess } from '../in-process/refusals.ts';

export const MSW: BackEnd = {
  name: 'MSW',
  refuses(step) {
    const stage = step.silence ?? step.reset ?? step.close;
    if (stage === 'headers' && step.silence !== undefined)
      return 'headers wait for the body; use stage body, or a receiver';
    if (stage === 'headers' || (stage === 'body' && step.silence === undefined))
      return 'fetch drops the headers when a simulated body breaks off; use stage request, nock or a receiver';
    return refusesInProcess(step);
  },
};
