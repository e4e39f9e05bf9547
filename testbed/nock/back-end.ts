import nock from 'nock';
import type { BackEnd } from '../fault-script/back-end.ts';
import { refusesInProcess } from '../in-process/refusals.ts';

/** nock tells nobody its version. */
const IS_15 = 'getGetRequestBody' in nock;

export const NOCK: BackEnd = {
  name: 'nock',
  refuses(step) {
    const stage = step.silence ?? step.reset ?? step.close;
    if (stage === 'headers')
      return 'it holds the head back until the body begins; take the stage body, or use a receiver';
    if (step.headerSize !== undefined && !IS_15)
      return 'to nock 14 no head is too large; take nock 15, or use a receiver';
    return refusesInProcess(step);
  },
};
