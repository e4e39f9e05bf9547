import type { Expression } from './expression.ts';

/** A condition as text that parses to the same tree. */
export function print(expression: Expression): string {
  switch (expression.kind) {
    case 'never':
      return '';
    case 'all':
      return 'all';
    case 'literal':
      return typeof expression.value === 'string' ? quoted(expression.value) : String(expression.value);
    case 'path':
      return pathText(expression.steps);
    case 'list':
      return `[${expression.items.map(print).join(', ')}]`;
    case 'call':
      return `${expression.name}(${expression.args.map(print).join(', ')})`;
    case 'not':
      return `!(${print(expression.of)})`;
    case 'and':
    case 'or':
    case 'in':
      return `(${print(expression.left)}) ${expression.kind} (${print(expression.right)})`;
    case 'compare':
      return `(${print(expression.left)}) ${expression.operator} (${print(expression.right)})`;
  }
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** A path as it is written in FQL. */
export function pathText(steps: readonly string[]): string {
  return steps.map(escaped).join('.');
}

/** A name that would read as a number or a keyword is kept from it by one more backslash. */
function escaped(step: string): string {
  const safe = step.replaceAll(/[^A-Za-z0-9_-]/g, String.raw`\$&`);
  return /^-?\d/.test(safe) || ['and', 'or', 'in', 'all', 'true', 'false', 'null'].includes(safe) ? `\\${safe}` : safe;
}
