import type { operations } from '../../generated/ingestion-api.d.ts';
import type { Handlers } from '../http/contract.ts';
import { batchHandler } from './batch-handler.ts';
import type { Caller } from './caller.ts';
import { callHandler } from './call-handler.ts';
import { librarySettings } from './library-settings.ts';
import { pixelHandler } from './pixel-handler.ts';
import type { ReceivePorts } from './receive.ts';
import { tokenHandler, type TokenPorts } from './token-handler.ts';
import { sourceOf } from './write-key.ts';

export type HandlerPorts = ReceivePorts & TokenPorts;

/** Every operation of the ingestion document. */
export function ingestionHandlers(ports: HandlerPorts): Handlers<operations, Caller> {
  return {
    batch: batchHandler(ports, 'server'),
    import: batchHandler(ports, 'server'),
    b: batchHandler(ports, 'client'),
    identify: callHandler(ports, 'identify', 'server'),
    track: callHandler(ports, 'track', 'server'),
    page: callHandler(ports, 'page', 'server'),
    screen: callHandler(ports, 'screen', 'server'),
    group: callHandler(ports, 'group', 'server'),
    alias: callHandler(ports, 'alias', 'server'),
    i: callHandler(ports, 'identify', 'client'),
    t: callHandler(ports, 'track', 'client'),
    p: callHandler(ports, 'page', 'client'),
    s: callHandler(ports, 'screen', 'client'),
    g: callHandler(ports, 'group', 'client'),
    a: callHandler(ports, 'alias', 'client'),
    m: () => ({ success: true }),
    token: tokenHandler(ports),
    pixel: pixelHandler(ports),
    settings: async ({ path: { writeKey }, caller }) =>
      librarySettings(await sourceOf(ports.config, [writeKey]), writeKey, caller),
  };
}
