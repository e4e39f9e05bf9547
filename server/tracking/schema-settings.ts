import type { Resources, SchemaSettings } from '../model/resources.ts';
import { LET_THROUGH } from '../model/stored-rows.ts';
import type { Event } from '../model/message.ts';
import type { Group } from './omit.ts';

export function settingsOf({ schema_config: settings = LET_THROUGH }: Resources['sources']): SchemaSettings {
  return settings;
}

/** The sources of the same workspace that events of a source go on to, by full name; undefined where they go on to none. */
export interface Forwarding {
  readonly blocked: string | undefined;
  readonly violations: string | undefined;
}

/** Settings name sources by their slugs. */
export function forwardingOf({
  name,
  settings,
}: {
  readonly name: string;
  readonly settings: SchemaSettings;
}): Forwarding {
  const sources = name.slice(0, name.lastIndexOf('/'));
  const beside = (slug: string): string | undefined => (slug === '' ? undefined : `${sources}/${slug}`);
  return {
    blocked: beside(settings.forwarding_blocked_events_to),
    violations: beside(settings.forwarding_violations_to),
  };
}

export type Reaction = 'allow' | 'omit' | 'block';

/** What is done with an event of one type that is not as planned. */
export interface Controls {
  /** What can be left out of it. */
  readonly group: Group;
  readonly onUnplannedEvent: Reaction;
  readonly onUnplannedField: Reaction;
  /** When the rule of the event, or that of identify or group, is violated. */
  readonly onViolation: Reaction;
  /** When the rule for all events is violated. */
  readonly onCommonViolation: Reaction;
}

const ALLOWING = { onUnplannedEvent: 'allow', onUnplannedField: 'allow', onViolation: 'allow' } as const;

/** The settings speak of track, identify and group; all other calls pass. */
export function controlsOf(type: Event['type'], settings: SchemaSettings): Controls {
  switch (type) {
    case 'track':
      return {
        group: 'properties',
        onUnplannedEvent: settings.allow_unplanned_track_events ? 'allow' : 'block',
        onUnplannedField: omitUnless(settings.allow_unplanned_track_event_properties),
        onViolation: settings.allow_track_event_on_violations
          ? omitUnless(settings.allow_track_properties_on_violations)
          : 'block',
        onCommonViolation: REACTIONS[settings.common_track_event_on_violations],
      };
    case 'identify':
      return {
        group: 'traits',
        onUnplannedEvent: 'allow',
        onUnplannedField: omitUnless(settings.allow_unplanned_identify_traits),
        onViolation: omitUnless(settings.allow_identify_traits_on_violations),
        onCommonViolation: REACTIONS[settings.common_identify_event_on_violations],
      };
    case 'group':
      return {
        group: 'traits',
        onUnplannedEvent: 'allow',
        onUnplannedField: omitUnless(settings.allow_unplanned_group_traits),
        onViolation: omitUnless(settings.allow_group_traits_on_violations),
        onCommonViolation: REACTIONS[settings.common_group_event_on_violations],
      };
    case 'page':
    case 'screen':
    case 'alias':
    case 'delete':
      return { group: 'properties', ...ALLOWING, onCommonViolation: 'allow' };
  }
}

const REACTIONS = { ALLOW: 'allow', OMIT_PROPERTIES: 'omit', OMIT_TRAITS: 'omit', BLOCK: 'block' } as const;

function omitUnless(isAllowed: boolean): Reaction {
  return isAllowed ? 'allow' : 'omit';
}
