/** What must compile of the webhook kit, and what must not: the compiler is the test. Nothing here runs. */
import type { IncomingMessage } from 'node:http';
import { expectTypeOf } from 'vitest';
import type * as v from 'valibot';
import type { components } from '../../../generated/config-api.d.ts';
import type { vWebhookEvent } from '../../../generated/runtime/valibot.gen.ts';
import {
  diagnose,
  type EventOf,
  nodeWebhook,
  parse,
  verify,
  verifyStandard,
  type WebhookEvent,
  type WebhookType,
} from '../../webhooks/index.ts';

type Schemas = components['schemas'];

declare const event: WebhookEvent;
declare const inferred: v.InferOutput<typeof vWebhookEvent>;

export function events(): void {
  expectTypeOf<WebhookType>().toEqualTypeOf<'page' | 'screen' | 'identify' | 'track' | 'alias' | 'group' | 'delete'>();
  expectTypeOf<EventOf<'track'>>().toEqualTypeOf<Schemas['TrackEvent']>();
  expectTypeOf<keyof EventOf<'identify'>>().toEqualTypeOf<keyof Extract<typeof inferred, { type: 'identify' }>>();
  expectTypeOf(event).toExtend<typeof inferred>();
  if (event.type === 'track') expectTypeOf(event.event).toEqualTypeOf<string>();
  // @ts-expect-error -- only a tracked event has a name of its own
  void event.event;
  switch (event.type) {
    case 'page':
    case 'screen':
    case 'identify':
    case 'track':
    case 'alias':
    case 'group':
    case 'delete':
      return;
    default:
      expectTypeOf(event).toBeNever();
  }
}

export function parsing(body: Uint8Array): void {
  const parsed = parse(body);
  if (parsed.kind === 'event') expectTypeOf(parsed.event).toEqualTypeOf<WebhookEvent>();
  if (parsed.kind === 'invalid') expectTypeOf(parsed.problem).toEqualTypeOf<string>();
  // @ts-expect-error -- which of the three it is has to be asked first
  void parsed.event;
  // @ts-expect-error -- an object that was parsed has no bytes any more
  parse({ type: 'track' });
}

export function headersOfNode(body: Uint8Array, { headers }: IncomingMessage): void {
  void verify({ body, signature: headers['x-signature'], secret: 's' });
  void verify(body, headers['x-signature'], 's');
  const [id, timestamp, signature] = [
    headers['webhook-id'],
    headers['webhook-timestamp'],
    headers['webhook-signature'],
  ];
  void verifyStandard({ body, id, timestamp, signature, secret: 's' });
}

export async function verifying(body: Uint8Array, header: string | null): Promise<void> {
  expectTypeOf(verify({ body, signature: header, secret: 's' })).resolves.toEqualTypeOf<boolean>();
  expectTypeOf(verify(body, header, 's')).resolves.toEqualTypeOf<boolean>();
  // @ts-expect-error -- the secret is needed
  void verify(body, header);
  // @ts-expect-error -- an object that was parsed has no bytes any more
  void verify({ body: { type: 'track' }, signature: header, secret: 's' });
  const diagnosis = await diagnose({ body, signature: header, secret: 's', otherSecrets: ['old'] });
  if (diagnosis.verdict !== 'valid') expectTypeOf(diagnosis.text).toEqualTypeOf<string>();
  nodeWebhook({ secret: ['new', 'old'], onEvent: (each) => void expectTypeOf(each).toEqualTypeOf<WebhookEvent>() });
  // @ts-expect-error -- without a secret everybody could send events
  nodeWebhook({ onEvent: () => {} });
}
