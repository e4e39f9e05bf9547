import type { Mutant } from '../mutant.ts';

/** Of many destinations of one source, and of what each may be sent. */
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
    file: 'server/events/parts.ts',
    find: 'if (events.length <= size) return [events];',
    replace: 'if (size > 0) return [events];',
    breaks: 'a batch for many destinations is one commit, for which all others wait',
  },
  {
    rule: 'HOOK-19',
    file: 'server/resources/destinations.ts',
    find: 'const entries = settingsOf(sent, current, addressGuard);',
    replace: 'const entries = settingsOf(sent, { name }, addressGuard);',
    breaks: 'settings of a destination with a slug of its own are not checked',
  },
  {
    rule: 'HOOK-24',
    file: 'server/delivery/roles.ts',
    find: 'if (isPaced) return isOwner ? limit : 0;',
    replace: 'if (isPaced) return limit;',
    breaks: 'each router keeps a pace of its own',
  },
  {
    rule: 'HOOK-24',
    file: 'server/delivery/roles.ts',
    find: 'return shareOf(limit, { members: nodes.length, isOwner });',
    replace:
      'return limit === this.#policy.perDestination ? shareOf(limit, { members: nodes.length, isOwner }) : limit;',
    breaks: 'each router has so many in flight',
  },
  {
    rule: 'HOOK-24',
    file: 'server/delivery/pace.ts',
    find: 'return at - free <= CATCH_UP_MS ? free : at;',
    replace: 'return at;',
    breaks: 'what a timer is late is lost: the rate is not reached',
  },
  {
    rule: 'HOOK-24',
    file: 'server/delivery/pace.ts',
    find: 'return at - free <= CATCH_UP_MS ? free : at;',
    replace: 'return free;',
    breaks: 'a destination that was idle gets a burst',
  },
  {
    rule: 'HOOK-24',
    file: 'server/delivery/pace.ts',
    find: 'Math.min(policy.perDestination, inFlight);',
    replace: 'policy.perDestination;',
    breaks: 'maxInFlight says nothing',
  },
  {
    rule: 'HOOK-24',
    file: 'server/delivery/dispatcher.ts',
    find: 'queue.role = this.#roles.of(queue.destination);',
    replace: 'this.#roles.of(queue.destination);',
    breaks: 'another limit holds only after a restart',
  },
];
