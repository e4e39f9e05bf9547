import { markdownTable, type Origin, originLine, readResult } from './result.ts';

/** Random worlds that were lived through one after the other. */
export interface WorldsRow extends Origin {
  readonly over: string;
  readonly first: number;
  readonly worlds: number;
  readonly differences: number;
}

export interface KillsRow extends Origin {
  readonly over: string;
  readonly kills: number;
  readonly failovers: number;
  readonly members: number;
  readonly missing: number;
  readonly toldTwice: number;
  readonly wrong: number;
  readonly repeated: number;
}

/** What the engine finds, against SQL over the raw events. */
export interface SqlResult extends Origin {
  readonly users: number;
  readonly audiences: number;
  readonly traits: number;
  readonly rounds: number;
  readonly seed: number;
  readonly events: number;
  readonly profiles: number;
  readonly members: number;
  readonly values: number;
  readonly differences: number;
}

export function audiencesPage(): string {
  const [worlds, kills] = [readResult('audience-worlds').rows, readResult('audience-kills').rows];
  const worldCells = worlds.map(({ over, worlds: count, first, differences, date, commit }) => [
    over,
    inWords(count),
    `${first}–${first + count - 1}`,
    inWords(differences),
    `${date} · ${commit}`,
  ]);
  const killCells = kills.map((row) => [
    row.over,
    ...[row.kills, row.failovers, row.members, row.missing, row.toldTwice, row.wrong, row.repeated].map(inWords),
  ]);
  return `# Audiences

## Random worlds

What audiences and computed traits find is compared with brute force over the raw events: members, values, explanations, and when membership ends. Of those that are told while audiences, destinations and receivers change and fail, what each destination heard last of each user is compared. \`npx node scripts/audiences.ts\` lives them through again.

${markdownTable(['storage', 'worlds', 'seeds', 'with differences', 'date and commit'], worldCells)}

## SQL over the raw events

The same of many users, found by DuckDB from the raw events, whose SQL shares no code with the router's. Each member and each value is compared, at the end of each of two rounds of events.

${sqlTable(readResult('audience-sql'))}

## Killed in a first sync

A router is killed before, during and after the commits of a first sync.

${markdownTable(['storage', 'kills', 'failovers', 'members', 'not told', 'told under two message ids', 'told wrongly', 'repeated requests'], killCells)}

${kills.map((row) => originLine(row)).join('\n\n')}
`;
}

function sqlTable(sql: SqlResult): string {
  const headers = ['users', 'profiles', 'events', 'audiences', 'computed traits', 'members', 'values', 'differences'];
  const row = [
    sql.users,
    sql.profiles,
    sql.events,
    sql.audiences,
    sql.traits,
    sql.members,
    sql.values,
    sql.differences,
  ];
  return `${markdownTable(headers, [row.map(inWords)])}\n\n${originLine(sql)}`;
}

function inWords(figure: number): string {
  return figure.toLocaleString('en');
}
