import type { Mutant } from '../mutant.ts';

/** Of many destinations of one source. */
export const HOOK_DESTINATIONS: readonly Mutant[] = [
  {
    rule: 'HOOK-19',
    file: 'server/destinations/kind.ts',
    find: 'return slugOf(catalog_name ?? name);',
    replace: 'return slugOf(name);',
    breaks: 'only the slug webhooks delivers',
  },
  {
    rule: 'HOOK-19',
    file: 'server/destinations/kind.ts',
    find: 'return slugOf(catalog_name ?? name);',
    replace: "return slugOf(catalog_name ?? name).replace(/^webhooks-.*/, 'webhooks');",
    breaks: 'settings that nobody has checked are delivered to',
  },
  {
    rule: 'HOOK-19',
    file: 'server/destinations/kind.ts',
    find: '...(published === undefined ? [] : [published])];',
    replace: '...(published === undefined ? [] : [published])].toReversed();',
    breaks: 'what an event says of all webhooks overrides what it says of one destination',
  },
  {
    rule: 'HOOK-19',
    file: 'server/directory/directory.ts',
    find: 'routes: enabled.filter(isWebhooks).map(',
    replace: 'routes: enabled.filter(isWebhooks).slice(0, 1).map(',
    breaks: 'an event goes to the first destination alone',
  },
  {
    rule: 'HOOK-19',
    file: 'server/resources/destinations.ts',
    find: 'const entries = settingsOf(sent, current, addressGuard);',
    replace: 'const entries = settingsOf(sent, { name }, addressGuard);',
    breaks: 'settings of a destination with a slug of its own are not checked',
  },
];
