import { figuresTable, type Origin, originLine, readResult, resultNames } from './result.ts';

export interface CrashResult extends Origin {
  readonly kills: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly stuck: number;
  readonly damaged: number;
  readonly repeated: number;
  readonly inFlight: number;
  readonly stalled: number;
}

/** Of routers that share a PostgreSQL and keep the order of each user. */
export interface OrderKillsResult extends Origin {
  readonly kills: number;
  readonly accepted: number;
  readonly lost: number;
  readonly outOfOrder: number;
  readonly repeated: number;
  readonly longestSeconds: number;
}

/** Of routers that share a PostgreSQL and a destination with a limit. */
export interface LimitKillsResult extends Origin {
  readonly changes: number;
  readonly maxPerSecond: number;
  readonly accepted: number;
  readonly lost: number;
  readonly repeated: number;
  readonly senders: number;
  readonly mostInOne: number;
  readonly mostInTen: number;
  readonly stoodStillMs: number;
}

export function crashPage(): string {
  return `# Killed routers

A router under load is killed again and again ([how](../reliability.md#killed-processes)).

${killsOf(readResult('crash'))}

${postgresSection()}
${orderSection()}
${limitSection()}`;
}

function postgresSection(): string {
  if (!resultNames().includes('crash-postgres')) return '';
  return `## On PostgreSQL

What a dead router was trying is another's once its lease is over, ten seconds later.

${killsOf(readResult('crash-postgres'))}
`;
}

function killsOf(result: CrashResult): string {
  const figures = [
    ['kills', result.kills],
    ['events acknowledged', result.acknowledged],
    ['lost', result.lost],
    ['stuck', result.stuck],
    ['storages damaged', result.damaged],
    ['delivered twice', result.repeated],
    ['in flight at a kill, which may come twice', result.inFlight],
    ['given up by a router that stood still itself, which may come twice', result.stalled],
  ] as const;
  return `${originLine(result)}\n\n${figuresTable(figures)}`;
}

function orderSection(): string {
  const result = readResult('order-kills');
  const figures = [
    ['kills', result.kills],
    ['events acknowledged', result.accepted],
    ['lost', result.lost],
    ['out of order', result.outOfOrder],
    ['delivered twice', result.repeated],
    ['seconds from the answer to the last success', result.longestSeconds],
  ] as const;
  return `## Order

Three routers share a PostgreSQL and send to a receiver that refuses some events, with \`ordering: user\`. One after the other is killed and started again.

${originLine(result)}

${figuresTable(figures)}
`;
}

function limitSection(): string {
  const result = readResult('limit-kills');
  const figures = [
    ['kills and stops', result.changes],
    ['processes that sent', result.senders],
    ['`maxPerSecond`', result.maxPerSecond],
    ['the most requests within a second', result.mostInOne],
    ['the most per second, within ten', result.mostInTen],
    ['milliseconds that the receiver stood still at most', result.stoodStillMs],
    ['events acknowledged', result.accepted],
    ['lost', result.lost],
    ['delivered twice', result.repeated],
  ] as const;
  return `## Limits

Three routers share a PostgreSQL and a destination with a limit, which more is sent to than that. The one that sends is killed or stopped, by turns, and started again. Times are when requests came to the receiver.

${originLine(result)}

${figuresTable(figures)}
`;
}
