import type { Mutant } from '../mutant.ts';

/** Of how many events the senders of a workspace may send. */
export const ING_QUOTAS: readonly Mutant[] = [
  {
    rule: 'ING-11',
    file: 'server/quotas/rate.ts',
    find: 'return Math.max(busyUntil, at) + takesMs(spending);',
    replace: 'return busyUntil + takesMs(spending);',
    breaks: 'what was not sent yesterday may be sent today, beyond the rate',
  },
  {
    rule: 'ING-11',
    file: 'server/quotas/rate.ts',
    find: 'Math.max(0, AHEAD_MS - takesMs(spending))',
    replace: '(AHEAD_MS - takesMs(spending))',
    breaks: 'a batch of more than a second waits for ever',
  },
  {
    rule: 'ING-11',
    file: 'server/quotas/beyond.ts',
    find: 'usage.stored + usage.events + events > perDay',
    replace: 'usage.stored + usage.events > perDay',
    breaks: 'the last request of a day may be of any size',
  },
  {
    rule: 'ING-11',
    file: 'server/quotas/quotas.ts',
    find: 'usage.busyUntil = busyAfter(usage.busyUntil, { events, perSecond }, usage.heardAt);',
    replace: 'void events;',
    breaks: 'each router has a rate of its own',
  },
  {
    rule: 'ING-11',
    file: 'server/quotas/quotas.ts',
    find: 'if (perSecond > 0 && now - usage.heardAt < LISTEN_MS) {',
    replace: 'if (perSecond > 0) {',
    breaks: 'what other routers let in an hour ago has to be waited for',
  },
  {
    rule: 'ING-11',
    file: 'server/quotas/quotas.ts',
    find: 'const usage = newUsage(workspace, day, { stored, now: clock.steady() });',
    replace: 'const usage = newUsage(workspace, day, { stored: stored * 0, now: clock.steady() });',
    breaks: 'a restart gives a tenant the day again',
  },
  {
    rule: 'ING-11',
    file: 'server/quotas/quotas.ts',
    find: 'if (isUnstored(usage)) this.#over.push(usage);',
    replace: '',
    breaks: 'what was let in just before midnight is not counted',
  },
  {
    rule: 'ING-11',
    file: 'server/quotas/quotas.ts',
    find: 'return error instanceof OutcomeUnknown ? [] : undefined;',
    replace: 'return undefined;',
    breaks: 'a count whose answer was lost is stored twice',
  },
  {
    rule: 'ING-11',
    file: 'server/events/pipeline.ts',
    find: '        if (!(error instanceof OutcomeUnknown)) pass?.giveBack();\n',
    replace: '',
    breaks: 'what could not be stored counts',
  },
  {
    rule: 'ING-11',
    file: 'server/resources/quotas.ts',
    find: "if (isBound(caller)) throw new ApiError('PermissionDenied', BOUND);",
    replace: '',
    breaks: 'a tenant lifts its own quota',
  },
  {
    rule: 'ING-11',
    file: 'server/resources/workspaces.ts',
    find: 'return shown;',
    replace: 'return { ..._quota, ...shown };',
    breaks: 'a workspace shows fields that its clients do not know',
  },
];
