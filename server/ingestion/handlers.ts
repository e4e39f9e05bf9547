import type { operations } from '../../generated/ingestion-api.d.ts';
import type { Handler, Handlers } from '../http/contract.ts';
import type { CallType } from '../model/message.ts';
import type { UnknownKeys } from '../losses/unknown-keys.ts';
import { acceptingUnknownKeys } from './accepting-unknown-keys.ts';
import { type Caller, reachedBy, sourceOf } from './caller.ts';
import { batchHandler, callHandler, type CallPorts } from './call-handlers.ts';
import { librarySettings } from './library-settings.ts';
import type { Sender } from '../events/normalize-calls.ts';
import { PIXEL } from './pixel.ts';
import { pixelHandler } from './pixel-handler.ts';
import { tokenHandler, type TokenPorts } from './token-handler.ts';

export interface HandlerPorts extends CallPorts, TokenPorts {
  /** Where unknown write keys are accepted; they are refused without it (D-41). */
  readonly unknownKeys?: Pick<UnknownKeys, 'add'> | undefined;
}

/** Every operation of the ingestion document. */
export function ingestionHandlers({ unknownKeys, ...ports }: HandlerPorts): Handlers<operations, Caller> {
  const batch = (sender: Sender): Handler<operations['batch'], Caller> =>
    acceptingUnknownKeys(unknownKeys, batchHandler(ports, sender), {
      answer: SUCCESS,
      eventsIn: ({ body }) => body.batch.length,
    });
  const call = (type: CallType, sender: Sender): Handler<operations['track'], Caller> =>
    acceptingUnknownKeys(unknownKeys, callHandler(ports, type, sender), { answer: SUCCESS, eventsIn: () => 1 });
  return {
    batch: batch('server'),
    import: batch('server'),
    b: batch('client'),
    identify: call('identify', 'server'),
    track: call('track', 'server'),
    page: call('page', 'server'),
    screen: call('screen', 'server'),
    group: call('group', 'server'),
    alias: call('alias', 'server'),
    i: call('identify', 'client'),
    t: call('track', 'client'),
    p: call('page', 'client'),
    s: call('screen', 'client'),
    g: call('group', 'client'),
    a: call('alias', 'client'),
    m: () => SUCCESS,
    token: tokenHandler(ports),
    pixel: acceptingUnknownKeys(unknownKeys, pixelHandler(ports), { answer: PIXEL, eventsIn: () => 1 }),
    settings: async ({ path: { writeKey }, caller }) =>
      librarySettings(await sourceOf(ports.directory, [writeKey]), writeKey, {
        ...reachedBy(caller.asked),
        publicUrl: ports.publicUrl,
      }),
  };
}

const SUCCESS = { success: true } as const;
