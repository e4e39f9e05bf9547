/** What one check found. Only what is `failed` keeps a router from starting, or from doing what it promises. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly detail: string;
}

/** What is found out about a storage. */
export interface StorageReport {
  readonly findings: readonly Finding[];
  /** Whether a router uses it now. */
  readonly isInUse: boolean;
}

export function ok(check: string, detail: string): Finding {
  return { check, status: 'ok', detail };
}

export function warning(check: string, detail: string): Finding {
  return { check, status: 'warning', detail };
}

export function failed(check: string, detail: string): Finding {
  return { check, status: 'failed', detail };
}

/** One object a line, for programs. */
export function findingLines(findings: readonly Finding[]): string {
  return findings.map((finding) => JSON.stringify(finding)).join('\n');
}

const MARKS = { ok: '✓', warning: '!', failed: '✗' } as const;

/** For people. */
export function findingText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(({ check, status, detail }) => `${MARKS[status]} ${check.padEnd(width)}  ${detail}`);
  const count = (wanted: Finding['status']): number => findings.filter(({ status }) => status === wanted).length;
  return [...lines, '', `${count('ok')} ok, ${count('warning')} warnings, ${count('failed')} failed`].join('\n');
}
