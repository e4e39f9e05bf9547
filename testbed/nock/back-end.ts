import nock from 'nock';
import type { BackEnd } from '../fault-script/back-end.ts';
import { refusesInProcess } from '../in-process/refusals.ts';

/** nock tells nobody its version. */
const IS_15 = 'getGetRequestBody' in nock;

export const NOCK: BackEnd = {
  name: 'nock',
  refuses(step) {
    const stage = step.silence ?? step.reset ?? step.close;
    if (stage === 'headers') return 'headers wait for the body; use stage body, or a receiver';
    if (step.headerSize !== undefined && !IS_15) return 'nock 14 has no header limit; use nock 15 or a receiver';
    return refusesInProcess(step);
  },
};
