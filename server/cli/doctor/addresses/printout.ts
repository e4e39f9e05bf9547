import type { FormVerdict } from './verdict.ts';

/** One object a line, for programs. */
export function jsonLines(verdicts: readonly FormVerdict[]): string {
  return verdicts
    .map(({ form: { group, url }, verdict, why }) => JSON.stringify({ group, url, verdict, why }))
    .join('\n');
}

/** For people: by group, and every form that is reached or allowed by itself. */
export function printout(verdicts: readonly FormVerdict[], networks: readonly string[]): string {
  const groups = Map.groupBy(verdicts, ({ form }) => form.group);
  const lines = [...groups].flatMap(([group, all]) => [heading(group, all), ...all.map(line)]);
  const settings = networks.length === 0 ? 'no network is allowed beyond the public ones' : networks.join(', ');
  return [`--allow-networks: ${settings}`, '', ...lines, '', summary(verdicts)].join('\n');
}

function heading(group: string, all: readonly FormVerdict[]): string {
  return `${group}: ${all.filter(({ verdict }) => verdict === 'refused').length} of ${all.length} refused`;
}

const MARKS = { refused: '✓', allowed: '·', escaped: '✗' } as const;

function line({ form, verdict, why }: FormVerdict): string {
  const names = form.answers.length === 0 ? '' : ` → ${form.answers.map((one) => one.join(' + ')).join(', then ')}`;
  const url = JSON.stringify(form.url).slice(1, -1);
  return `  ${MARKS[verdict]} ${verdict.padEnd(8)} ${url}${names}${verdict === 'refused' ? '' : ` (${why})`}`;
}

function summary(verdicts: readonly FormVerdict[]): string {
  const count = (wanted: FormVerdict['verdict']): number => verdicts.filter(({ verdict }) => verdict === wanted).length;
  return `${verdicts.length} forms: ${count('refused')} refused, ${count('allowed')} allowed by the settings, ${count('escaped')} escaped`;
}
