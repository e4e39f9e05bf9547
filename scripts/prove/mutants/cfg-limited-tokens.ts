import type { Mutant } from '../mutant.ts';

/** Of tokens that are limited to sources and destinations, and of lists of whole workspaces. */
export const CFG_LIMITED_TOKENS: readonly Mutant[] = [
  {
    rule: 'CFG-17',
    file: 'cli/patience.ts',
    find: 'if (round === MOST_ROUNDS ||',
    replace: 'if (round <= MOST_ROUNDS ||',
    breaks: 'a command that makes many requests at once ends where a router takes few a minute',
  },
  {
    rule: 'CFG-6',
    file: 'server/resources/pages-across.ts',
    find: 'const begin = isSame(place, within) ? own : 0;',
    replace: 'const begin = own;',
    breaks: 'a page over all sources leaves out what a later source has',
  },
  {
    rule: 'CFG-6',
    file: 'server/resources/pages-across.ts',
    find: 'from = [...last.place];',
    replace: 'return found;',
    breaks: 'of many sources only the first are looked at for what they have',
  },
  {
    rule: 'CFG-26',
    file: 'server/resources/config-api.ts',
    find: '      requireWithin(caller, operation, params);\n',
    replace: '',
    breaks: 'a limited token sees all of its workspace',
  },
  {
    rule: 'CFG-26',
    file: 'server/resources/callers.ts',
    find: '(isRead && name === listOf(limit))',
    replace: 'name === listOf(limit)',
    breaks: 'a limited token makes resources beside its own',
  },
  {
    rule: 'CFG-26',
    file: 'server/resources/kit.ts',
    find: 'isVisible?.(caller, resource) ?? isSeen(resource.name);',
    replace: 'isVisible?.(caller, resource) ?? seesWorkspace(caller, resource.name);',
    breaks: 'lists show a limited token what is beside its own',
  },
  {
    rule: 'CFG-26',
    file: 'server/resources/callers.ts',
    find: 'if (isLimited(caller)) return own === caller.token.name;',
    replace: '',
    breaks: 'a limited token lists the tokens of its workspace',
  },
  {
    rule: 'CFG-26',
    file: 'server/resources/access-tokens.ts',
    find: '  if (!isLimited(caller)) return;\n',
    replace: '  if (isBound(caller)) return;\n',
    breaks: 'a limited token makes one that sees the whole workspace',
  },
  {
    rule: 'CFG-26',
    file: 'server/resources/callers.ts',
    find: 'if (limits === undefined || limits.some(',
    replace: 'if (name !== field || limits === undefined || limits.some(',
    breaks: 'events of a limited source are forwarded to another',
  },
  {
    rule: 'CFG-26',
    file: 'server/resources/access-tokens.ts',
    find: 'limits === undefined ? hashToken(plaintext) : hashLimitedToken(plaintext)',
    replace: 'hashToken(plaintext)',
    breaks: 'a router of an earlier version shows a limited token its whole workspace',
  },
  {
    rule: 'CFG-3',
    file: 'server/resources/access-tokens.ts',
    find: "collectionOf(name) === 'destinations'",
    replace: "name.includes('/destinations/')",
    breaks: 'a token cannot be limited to sources of a workspace that is called as a collection is',
  },
];
