import * as v from 'valibot';
import type { components } from '../../generated/config-api.d.ts';
import { vNotice } from '../../generated/runtime/valibot.gen.ts';
import type { WebhookEvent } from './parse.ts';

/** What a router has to say of a workspace, told apart by `event`. */
export type Notice = components['schemas']['Notice'];

/**
 * The notice that a parsed event is; undefined for any other event, and for notices that this version does not know yet. Ask it
 * where events come from a source of notices alone: anybody may send an event of such a name to other sources.
 */
export function noticeIn(event: WebhookEvent): Notice | undefined {
  return isNotice(event) ? event : undefined;
}

function isNotice(value: unknown): value is Notice {
  return v.is(vNotice, value);
}
