import { figuresTable, type Origin, originLine, readResult } from './result.ts';

/** Of a run of all tests, the long ones too. */
export interface TestsResult extends Origin {
  readonly passed: number;
  readonly failed: number;
  readonly minutes: number;
}

export function testsPage(): string {
  const result = readResult('tests');
  const figures = [
    ['passed', result.passed],
    ['failed', result.failed],
    ['minutes', result.minutes],
  ] as const;
  return `# All tests

With those that take minutes, which \`npm test\` and CI leave out ([how](../../CONTRIBUTING.md)).

${originLine(result)}

${figuresTable(figures)}
`;
}
