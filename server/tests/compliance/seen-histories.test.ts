import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSeen } from '../../storage/file/deliveries/seen.ts';
import { fingerprintOf } from '../../storage/fingerprint.ts';
import { alikeFingerprints, anyHistory, faultsOf, type OpenSeen } from '../support/seen-history.ts';

test.each([
  ['as they are', fingerprintOf],
  ['that the index cannot tell apart', alikeFingerprints],
])(
  'D-43: whatever commits, fails, crashes and grows old, ids are known for a day and no other is: fingerprints %s',
  (_, toFingerprint) => {
    const property = fc.property(anyHistory, (history) => {
      expect(faultsOf(history, createSeen, toFingerprint)).toEqual([]);
    });
    fc.assert(property, { numRuns: 40 });
  },
);

const BROKEN: readonly [string, OpenSeen, typeof fingerprintOf?][] = [
  ['writes nothing', (database) => ({ ...createSeen(database), committing: () => undefined })],
  [
    'keeps what was rolled back',
    (database) => {
      const seen = createSeen(database);
      return {
        ...seen,
        rolledBack: () => {
          seen.committing();
          seen.committed();
        },
      };
    },
  ],
  [
    'forgets what is young',
    (database) => {
      const seen = createSeen(database);
      return { ...seen, sweep: (before, limit) => seen.sweep(before + 12 * 3_600_000, limit) };
    },
  ],
  [
    'takes ids of 18 equal bits for one',
    createSeen,
    (source, messageId) => {
      const { first } = fingerprintOf(source, messageId);
      return { home: first & 0x3_ffff, first: 0, second: 0 };
    },
  ],
];

test.each(BROKEN)('an index of known ids that %s is found', (_, open, toFingerprint) => {
  const property = fc.property(anyHistory, (history) => faultsOf(history, open, toFingerprint).length === 0);
  const { failed } = fc.check(property, { seed: 43, numRuns: 40, endOnFailure: true });
  expect(failed).toBe(true);
});
