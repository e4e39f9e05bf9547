import { GROUPS } from '../../testbed/certify/scenarios/all.ts';

/** What docs/certify.md says of each scenario; the code is the source. */
export function scenarioTable(): string {
  return GROUPS.map(({ title, scenarios }) => {
    const rows = scenarios.map(({ id, title: what, expects }, index) => {
      const same = expects === scenarios[index - 1]?.expects;
      return `| \`${id}\` | ${what} | ${same ? 'the same' : expects} |`;
    });
    return [`### ${title}`, '', '| id | what is shown | what it is about |', '|---|---|---|', ...rows].join('\n');
  }).join('\n\n');
}
