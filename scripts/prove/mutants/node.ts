import type { Mutant } from '../mutant.ts';

/** Versions, and several routers. */
export const NODE: readonly Mutant[] = [
  {
    rule: 'NODE-4',
    file: 'server/delivery/neighbors.ts',
    find: 'if (isLost) this.#behind = READS_AFTER_LOSS;',
    replace: '',
    breaks: 'what a dead router held stays where it is',
  },
  {
    rule: 'NODE-4',
    file: 'server/delivery/membership.ts',
    find: 'const EXCHANGE_MS = 500;',
    replace: 'const EXCHANGE_MS = 4_000;',
    breaks: 'that a router is dead is noticed too late',
  },
  {
    rule: 'NODE-3',
    file: 'server/delivery/membership.ts',
    find: 'roster.leaseMs - MARGIN_MS',
    replace: 'roster.leaseMs + MARGIN_MS',
    breaks: 'a router that was cut off goes on until its lease has ended, and longer',
  },
  {
    rule: 'NODE-3',
    file: 'server/delivery/rounds.ts',
    find: 'tenure.holds ? transport.post(request, signal)',
    replace: 'request.body.length > 0 ? transport.post(request, signal)',
    breaks: 'what was about to be sent when the process stood still is sent after its lease',
  },
  {
    rule: 'NODE-5',
    file: 'server/directory/directory.ts',
    find: 'refresh: () => resources.refresh(),',
    replace: 'refresh: () => Promise.resolve(),',
    breaks: 'a write key that another router was told of is refused, until this one hears of it',
  },
  {
    rule: 'NODE-5',
    file: 'server/events/pipeline.ts',
    find: 'if (calls !== undefined) ({ name } = await calls.sourceNow());',
    replace: '',
    breaks: 'what a write key let in that another router has removed is kept',
  },
  {
    rule: 'NODE-5',
    file: 'server/storage/resources/replica.ts',
    find: 'this.versions.set(workspace, version);',
    replace: '',
    breaks: 'nobody knows that the configuration has changed',
  },
  {
    rule: 'NODE-6',
    file: 'server/delivery/strays.ts',
    find: 'if (strays.length > 0) await this.#release(strays);',
    replace: '',
    breaks: 'what was stored, and whose answer was lost, is held for ever by a router that does not know',
  },
  {
    rule: 'NODE-6',
    file: 'server/delivery/strays.ts',
    find: '(oldestCallAt ?? at) > before.at',
    replace: 'at > before.at',
    breaks: 'what an accept still waits to hear of is sent twice',
  },
  {
    rule: 'NODE-7',
    file: 'server/storage/file/formats.ts',
    find: 'if (format === current) return [];',
    replace: 'if (format >= current) return [];',
    breaks: 'data of a newer version is opened, and misread',
  },
  {
    rule: 'NODE-7',
    file: 'server/storage/file/backup.ts',
    find: 'renameSync(draft, backup);',
    replace: '',
    breaks: 'a migration leaves no backup',
  },
  {
    rule: 'NODE-7',
    file: 'server/storage/file/migrate.ts',
    find: 'await shard.migrate();',
    replace: 'await Promise.resolve();',
    breaks: 'files of the configuration stay as the earlier version wrote them',
  },
];
