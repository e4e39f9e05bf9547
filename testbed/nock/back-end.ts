import type { BackEnd } from '../fault-script/back-end.ts';
import { refusesInProcess } from '../in-process/refusals.ts';

export const NOCK: BackEnd = {
  name: 'nock',
  refuses(step) {
    const stage = step.silence ?? step.reset ?? step.close;
    if (stage === 'headers')
      return 'it holds the head back until the body begins; take the stage body, or use a receiver';
    return refusesInProcess(step);
  },
};
