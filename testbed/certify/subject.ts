import type { Finding } from './verdicts.ts';

/** Who a certificate is about, and how its findings are called. */
export interface Subject {
  readonly noun: 'receiver' | 'sender';
  /** After `The receiver`, `This receiver`, or its address. */
  readonly found: Readonly<Record<Finding, string>>;
  /** How what was not observed is counted. */
  readonly unseen: string;
  /** Why nothing was judged. */
  readonly cause: string;
}

/** By the kind of the statement. */
export const SUBJECTS = {
  'waybill-receiver-certificate': {
    noun: 'receiver',
    found: {
      passed: 'keeps the contract',
      failed: 'does not keep the contract',
      'not-judged': 'was not judged',
    },
    unseen: 'skipped',
    cause: 'it did not accept the first event',
  },
  'waybill-sender-certificate': {
    noun: 'sender',
    found: {
      passed: 'passed all that could be judged',
      failed: 'does not do all that a sender ought to',
      'not-judged': 'was not judged',
    },
    unseen: 'not judged',
    cause: 'its first event did not arrive',
  },
} as const satisfies Record<string, Subject>;

export type StatementKind = keyof typeof SUBJECTS;

export function isStatementKind(kind: unknown): kind is StatementKind {
  return typeof kind === 'string' && Object.hasOwn(SUBJECTS, kind);
}
