import { createHash } from 'node:crypto';
import type { components } from '../../generated/config-api.d.ts';
import type { Event } from '../model/message.ts';

type Notice = components['schemas']['Notice'];

export type NoticeName = Notice['event'];

/** What is to be said, of what. */
export type Said = {
  [Name in NoticeName]: {
    readonly event: Name;
    readonly properties: Extract<Notice, { readonly event: Name }>['properties'];
    /** Full name of the destination or audience. */
    readonly about: string;
    /** What tells it from others of the same name about the same: the same for whoever says it again. */
    readonly of: string;
  };
}[NoticeName];

/** A notice as an event of a source, whose receivers know a repetition by its messageId, as storage does (D-43). */
export function noticeEvent({ event, properties, about, of }: Said, source: string, at: string): Event {
  const digest = createHash('sha256').update(JSON.stringify([source, event, about, of]));
  return {
    type: 'track',
    messageId: `notice-${digest.digest('hex').slice(0, 32)}`,
    // In the line of what it is about; and nobody's profile.
    anonymousId: about,
    event,
    properties: { ...properties },
    context: {},
    timestamp: at,
    receivedAt: at,
  };
}
