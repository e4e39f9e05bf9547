import type { Mutant } from '../mutant.ts';

/** Of what is told of audiences and computed traits. */
export const AUD_SYNCS: readonly Mutant[] = [
  {
    rule: 'AUD-1',
    file: 'server/audiences/identify-call.ts',
    find: "type: 'identify',",
    replace: "type: 'track',",
    breaks: 'membership is not told as an identify',
  },
  {
    rule: 'AUD-2',
    file: 'server/audiences/computations.ts',
    find: "ofNone: 'false',",
    replace: "ofNone: 'null',",
    breaks: 'who left is told null, not false',
  },
  {
    rule: 'AUD-2',
    file: 'server/audiences/identify-call.ts',
    find: 'traits: { [key]: traitValue },',
    replace: 'traits: { [slugOf(name)]: traitValue },',
    breaks: 'the trait is the id of the audience, not its key',
  },
  {
    rule: 'AUD-3',
    file: 'server/audiences/differences.ts',
    find: 'if (heard.get(user)?.value !== value) changed.push({ user, value });',
    replace: 'changed.push({ user, value });',
    breaks: 'each sync tells all members again',
  },
  {
    rule: 'AUD-3',
    file: 'server/audiences/differences.ts',
    find: 'gone: [...heard.values()], upTo',
    replace: 'gone: [], upTo',
    breaks: 'nobody is told that a user left',
  },
  {
    rule: 'AUD-4',
    file: 'server/audiences/sync-times.ts',
    find: 'Math.floor((intervalMs / 2) * shareOf(computation))',
    replace: 'Math.floor(intervalMs * shareOf(computation))',
    breaks: 'syncs are up to four hours apart',
  },
  {
    rule: 'AUD-4',
    file: 'server/jobs/audience-runs.ts',
    find: 'upTo === undefined ? { destinations: rest } : { destinations, after: upTo },',
    replace: '({ destinations: rest }),',
    breaks: 'a first sync ends after its first page',
  },
  {
    rule: 'AUD-5',
    file: 'server/audiences/identify-call.ts',
    find: 'const traitValue: unknown = JSON.parse(value);',
    replace: 'const traitValue: unknown = value === JSON.stringify(null) ? null : true;',
    breaks: 'a computed trait is told without its value',
  },
  {
    rule: 'AUD-8',
    file: 'server/jobs/audience-runs.ts',
    find: 'filter(({ value }) => value !== ofNone)',
    replace: 'filter(({ value }) => value === undefined)',
    breaks: 'who left is told of only when the last telling expired',
  },
  {
    rule: 'AUD-8',
    file: 'server/audiences/identify-call.ts',
    find: '`personas_${idOf(name, destination, user, String(sync))}`',
    replace: '`personas_${idOf(name, destination, user)}`',
    breaks: 'a later value has the id of an earlier one, and receivers drop it as a repetition',
  },
  {
    rule: 'AUD-9',
    file: 'server/jobs/erasure.ts',
    find: 'for (const id of profile?.userIds ?? []) ids.add(id);',
    replace: 'for (const id of profile?.userIds.slice(0, 1) ?? []) ids.add(id);',
    breaks: 'what is stored under an id that was merged stays',
  },
  {
    rule: 'AUD-9',
    file: 'server/jobs/audience-runs.ts',
    find: '!suppressed.has(user)',
    replace: "!suppressed.has('')",
    breaks: 'a suppressed user is told of',
  },
];
