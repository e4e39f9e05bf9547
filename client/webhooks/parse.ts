import * as v from 'valibot';
import type { components } from '../../generated/config-api.d.ts';
import { vWebhookEvent } from '../../generated/runtime/valibot.gen.ts';

/**
 * One of the seven bodies, told apart by `type` (HOOK-12). The contract's own type: what valibot infers is the same, and
 * takes an editor seconds to work out.
 */
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type WebhookType = WebhookEvent['type'];
/** The body of one kind: `EventOf<'track'>`. */
export type EventOf<T extends WebhookType> = Extract<WebhookEvent, { readonly type: T }>;

export const WEBHOOK_TYPES = [
  'page',
  'screen',
  'identify',
  'track',
  'alias',
  'group',
  'delete',
] as const satisfies readonly WebhookType[];

export type Parsed =
  /** All of the body, fields included that this version does not know yet. */
  | { readonly kind: 'event'; readonly event: WebhookEvent }
  /** A kind that this version does not know yet: a receiver takes it, and does nothing. */
  | { readonly kind: 'unknown'; readonly type: string; readonly body: Readonly<Record<string, unknown>> }
  /** Not what the contract says; `problem` names the field. */
  | { readonly kind: 'invalid'; readonly problem: string };

/** Reads a verified body. Parse only what `verify` took: the signature is over these very bytes. */
export function parse(body: Uint8Array | string): Parsed {
  const value = jsonObjectIn(body);
  if (value === undefined) return { kind: 'invalid', problem: 'the body is no JSON object in UTF-8' };
  const { type } = value;
  if (typeof type !== 'string') return { kind: 'invalid', problem: 'the body has no type' };
  if (!WEBHOOK_TYPES.some((known) => known === type)) return { kind: 'unknown', type, body: value };
  // The check alone, not its output: that would leave out the fields that are newer than this version.
  if (isWebhookEvent(value)) return { kind: 'event', event: value };
  return { kind: 'invalid', problem: problemOf(value) };
}

/** The two types differ in optional fields that are there and undefined alone, and JSON holds none. */
function isWebhookEvent(value: unknown): value is WebhookEvent {
  return v.is(vWebhookEvent, value);
}

function problemOf(value: unknown): string {
  const [issue] = v.safeParse(vWebhookEvent, value).issues ?? [];
  if (issue === undefined) return 'it does not match the contract';
  const path = v.getDotPath(issue);
  return path === null ? issue.message : `${path}: ${issue.message}`;
}

function jsonObjectIn(body: Uint8Array | string): Record<string, unknown> | undefined {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
