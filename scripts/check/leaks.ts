/** What a test file may leave behind in a process that others use after it. */
export interface Held {
  /** Names of what keeps the process alive and of listeners, with how many there are of each. */
  readonly counts: ReadonlyMap<string, number>;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly globals: ReadonlyMap<string, unknown>;
}

const OF_VITEST = /^__vitest/i;
/** The output of the process, which is opened at the first word; the pipes of a child are gone once the child is. */
const OUTPUT = 'PipeWrap';

export function heldNow(): Held {
  const resources = process.getActiveResourcesInfo().filter((name) => name !== OUTPUT);
  const listeners = process.eventNames().flatMap((event) => {
    return Array<string>(process.listenerCount(event)).fill(`listener of ${String(event)}`);
  });
  const counts = new Map<string, number>();
  for (const name of [...resources, ...listeners]) counts.set(name, (counts.get(name) ?? 0) + 1);
  return { counts, variables: { ...process.env }, globals: globalsNow() };
}

/** Only plain values: many a global makes itself when it is first read. */
function globalsNow(): Map<string, unknown> {
  return new Map(
    Object.entries(Object.getOwnPropertyDescriptors(globalThis)).flatMap(([name, { value }]) =>
      value === undefined || OF_VITEST.test(name) ? [] : [[name, value]],
    ),
  );
}

/** What is there now and was not before, one line each. */
export function leaksSince(before: Held, now: Held): string[] {
  const names = new Set([...Object.keys(before.variables), ...Object.keys(now.variables)]);
  return [
    ...[...now.counts].flatMap(([name, count]) => {
      const more = count - (before.counts.get(name) ?? 0);
      return more > 0 ? [`${more} × ${name}`] : [];
    }),
    ...[...names]
      .filter((name) => before.variables[name] !== now.variables[name])
      .map((name) => `the environment variable ${name} was changed`),
    ...[...now.globals]
      .filter(([name, value]) => before.globals.has(name) && !Object.is(before.globals.get(name), value))
      .map(([name]) => `the global ${name} was replaced`),
  ];
}
