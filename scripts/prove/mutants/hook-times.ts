import type { Mutant } from '../mutant.ts';

/** Of the rules about when a delivery is tried: the first attempt, and clocks that are set. */
export const HOOK_TIMES: readonly Mutant[] = [
  {
    rule: 'HOOK-20',
    file: 'server/delivery/round.ts',
    find: ' && !isOwed(claim);',
    replace: ';',
    breaks: 'an event whose window is over expires without one attempt',
  },
  {
    rule: 'HOOK-20',
    file: 'server/delivery/schedule.ts',
    find: 'if (isOver && ended.isOwed !== true) return undefined;',
    replace: 'if (isOver) return undefined;',
    breaks: 'a round that never left the machine ends an event whose window is over',
  },
  {
    rule: 'HOOK-18',
    file: 'server/storage/file/deliveries/record.ts',
    find: "free < kept ? { ...given, excerpt: '' } : given",
    replace: "free < 0 ? { ...given, excerpt: '' } : given",
    breaks: 'what receivers of one workspace answer takes the last of the disk',
  },
  {
    rule: 'HOOK-21',
    file: 'server/system-clock.ts',
    find: 'if (awake() - begun >= LEAST_MS) return;',
    replace: '',
    breaks: 'a process that stands still while it reads its clocks is ahead by that, or forgets a sleep',
  },
  {
    rule: 'HOOK-21',
    file: 'server/storage/file/deliveries/change-in-parts.ts',
    find: 'const last = part.get(after)?.last;',
    replace: 'const last = part.get(after)?.last && 1e15;',
    breaks: 'after the wall was set, no router starts on a disk that waiting events have filled',
  },
  {
    rule: 'HOOK-21',
    file: 'server/storage/move/folder-source.ts',
    find: 'sqliteRows(database, aheadIn(database))',
    replace: 'sqliteRows(database, aheadIn(database) === 0 ? 1 : 0)',
    breaks: 'after the wall was set forward, what waits in a folder expires once it was moved to PostgreSQL',
  },
  {
    rule: 'HOOK-21',
    file: 'server/delivery/courier.ts',
    find: 'isOver(policy, claim, clock.steady())',
    replace: 'isOver(policy, claim, clock.now())',
    breaks: 'a wall that is set forward ends deliveries early',
  },
  {
    rule: 'HOOK-21',
    file: 'server/delivery/timers.ts',
    find: 'at - this.#clock.steady()',
    replace: 'at - this.#clock.now()',
    breaks: 'a wall that is set back stops deliveries',
  },
  {
    rule: 'HOOK-21',
    file: 'server/delivery/dispatcher.ts',
    find: 'const at = this.#ports.clock.steady();',
    replace: 'const at = this.#ports.clock.now();',
    breaks: 'what is due, and what is parked, is measured by the wall',
  },
  {
    rule: 'HOOK-21',
    file: 'server/storage/postgres/deliveries/open-deliveries.ts',
    find: 'time.adopt(told?.steps ?? []);',
    replace: 'time.adopt([]);',
    breaks: "a router that starts after the database's clock was set forward lets what waited expire",
  },
  {
    rule: 'HOOK-9',
    file: 'server/delivery/circuit.ts',
    find: 'probeAt: Math.max(at + waitAfter(policy, probes, () => draw), notBefore) };',
    replace: 'probeAt: at + waitAfter(policy, probes, () => draw) };',
    breaks: 'a parked destination is probed before the moment that it named in Retry-After',
  },
  {
    rule: 'HOOK-21',
    file: 'server/storage/postgres/time.ts',
    find: 'Math.abs(ahead) <= NOTABLE_MS + uncertain',
    replace: 'Math.abs(ahead) <= NOTABLE_MS',
    breaks: 'an answer of the database that took long moves what is known better',
  },
  {
    rule: 'HOOK-21',
    file: 'server/storage/postgres/time.ts',
    find: 'uncertain + doubt',
    replace: 'uncertain',
    breaks: 'what follows an answer of the database that took long looks like a clock that was set',
  },
  {
    rule: 'HOOK-21',
    file: 'server/storage/file/deliveries/purge.ts',
    find: 'if (one.receivedAt < before) return true;',
    replace: 'return one.receivedAt < before;',
    breaks:
      'what came while the wall was set forward keeps all that came later from being removed, for as long as it was set',
  },
];
