import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../generate/root.ts';
import { withPart } from '../results/page-part.ts';
import { markdownTable, originLine, readResult } from '../results/result.ts';
import { TOURS, tourText } from './stations.ts';

const PAGE = join(ROOT, 'ARCHITECTURE.md');

/** The parts of ARCHITECTURE.md that are made: each stands between two marks with its name. */
const PARTS = {
  'tour of a track call': () => tourText(TOURS.track),
  'tour of a change': () => tourText(TOURS.patch),
  figures: figuresText,
} as const;

export function writeParts(): void {
  writeFileSync(PAGE, withParts(readFileSync(PAGE, 'utf8')));
}

export function isStale(text = readFileSync(PAGE, 'utf8')): boolean {
  return withParts(text) !== text;
}

function withParts(page: string): string {
  return Object.entries(PARTS).reduce((text, [name, make]) => withPart(text, name, make()), page);
}

function figuresText(): string {
  const result = readResult('structure');
  const rows = result.figures.map(({ what, value, aim }) => [what, String(value), aim]);
  return `${markdownTable(['figure', 'value', 'aim'], rows)}\n\n${originLine(result)}`;
}
