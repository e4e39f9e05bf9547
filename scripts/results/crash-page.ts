import { markdownTable, type Origin, originLine, readResult } from './result.ts';

export interface CrashResult extends Origin {
  readonly kills: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly stuck: number;
  readonly damaged: number;
  readonly repeated: number;
  readonly inFlight: number;
}

export function crashPage(): string {
  const result = readResult('crash');
  const figures = [
    ['kills', result.kills],
    ['events acknowledged', result.acknowledged],
    ['lost', result.lost],
    ['stuck', result.stuck],
    ['stores damaged', result.damaged],
    ['delivered twice', result.repeated],
    ['in flight at a kill: the most that may come twice', result.inFlight],
  ] as const;
  const rows = figures.map(([what, figure]) => [what, figure.toLocaleString('en')]);
  return `# Killed routers

A router under load is killed again and again ([how](../reliability.md#killed-processes)).

${originLine(result)}

${markdownTable(['figure', 'measured'], rows)}
`;
}
