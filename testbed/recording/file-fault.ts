import { dirname } from 'node:path';

/** What is wrong with a file, and the way out, in words for people. */
export function fileFault(what: 'read' | 'write', file: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const wayOut = wayOutOf(what, file, code);
  // Node repeats the call and the path behind its reason.
  return `Cannot ${what} ${file}: ${wayOut === undefined ? reason : `${reason.replace(/, \w+(?: '.*')?$/s, '')}; ${wayOut}`}`;
}

function wayOutOf(what: 'read' | 'write', file: string, code: string): string | undefined {
  switch (code) {
    case 'ENOENT':
      return what === 'read' ? 'name one that is there' : `make the folder ${dirname(file)}, or name another`;
    case 'EISDIR':
      return 'name a file in it';
    case 'ENOTDIR':
      return `${dirname(file)} is no folder; name another`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `name one that this user may ${what}`;
    case 'ENOSPC':
      return 'make room, or name a file on another disk';
    default:
      return undefined;
  }
}
