import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const RULES = fileURLToPath(new URL('../../docs/rules.md', import.meta.url));
const AREAS = 'CFG|HOOK|ING|LIB|AUD|NODE|SAFE';
const ID = new RegExp(`\\b(?:${AREAS})-\\d+\\b`, 'g');
const ROW = new RegExp(`^- ((?:${AREAS})-\\d+): `, 'gm');

export interface RuleCoverage {
  readonly all: readonly string[];
  readonly proven: ReadonlySet<string>;
  /** What `docs/rules.md` says is not proven yet. */
  readonly excused: ReadonlySet<string>;
}

/** The rules, and which of them the names of passed tests prove. A name's rules stand before its first colon. */
export function ruleCoverage(passedTests: readonly string[], document = readFileSync(RULES, 'utf8')): RuleCoverage {
  const [tables = '', excuses = ''] = document.split('## Not proven yet');
  const all = [...tables.matchAll(ROW)].flatMap((match) => match[1] ?? []);
  const known = new Set(all);
  const named = passedTests.flatMap((name) => (name.includes(': ') ? (name.split(': ')[0]?.match(ID) ?? []) : []));
  return {
    all,
    proven: new Set(named.filter((id) => known.has(id))),
    excused: new Set(excuses.match(ID)),
  };
}

/** What is wrong: a rule without proof or excuse, and an excuse for a rule that is proven. */
export function coverageFaults({ all, proven, excused }: RuleCoverage): string[] {
  const unproven = all.filter((id) => !proven.has(id) && !excused.has(id));
  const outdated = [...excused].filter((id) => proven.has(id));
  return [
    ...unproven.map((id) => `${id} is proven by no test, and docs/rules.md does not list it as not proven yet`),
    ...outdated.map((id) => `${id} is proven: take it off the list of what is not proven yet in docs/rules.md`),
  ];
}

/** A line for each area: how many of its rules are proven, and which are not. */
export function coverageTable({ all, proven }: RuleCoverage): string {
  const areas = [...new Set(all.map((id) => id.split('-')[0] ?? ''))];
  const lines = areas.map((area) => {
    const rules = all.filter((id) => id.startsWith(`${area}-`));
    const missing = rules.filter((id) => !proven.has(id));
    const count = `${rules.length - missing.length}/${rules.length}`.padStart(6);
    return `  ${area.padEnd(5)}${count} proven${missing.length === 0 ? '' : `, not yet: ${missing.join(' ')}`}`;
  });
  return ['Rules', ...lines].join('\n');
}
