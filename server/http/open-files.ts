import { readFileSync } from 'node:fs';

/** What an operator can do where there are too few. */
export const MORE_FILES = 'raise the limit (ulimit -Hn, LimitNOFILE of a unit, --ulimit nofile of a container)';

/** How many files this process may have open; undefined where there is no limit, or none is told, as elsewhere than on Linux. */
export function openFilesLimit(limits = limitsText()): number | undefined {
  // Node raises its own limit to the hard one.
  const most = /^Max open files +\S+ +(\d+)/m.exec(limits)?.[1];
  return most === undefined ? undefined : Number(most);
}

/**
 * Who connects needs no key, and must not take the files that deliveries and changes of the configuration need: where there are few,
 * connections have half of them.
 */
export function connectionsWithin(most: number | undefined, asked: number): number {
  return most === undefined ? asked : Math.min(asked, Math.floor(most / 2));
}

function limitsText(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
