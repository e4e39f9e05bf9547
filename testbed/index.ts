/** What most tests take: a receiver, a certificate, events, scripts and virtual time. Everything else has an entry of its own. */
export { createReceiver } from './receiver/receiver.ts';
export type { Receiver, Wanted } from './receiver/receiver.ts';
export { ListenError } from './receiver/listener.ts';
export type { EndpointOptions, ReceiverOptions } from './receiver/options.ts';
export { headerOf, textOf } from './receiver/received.ts';
export type { Received, ReceiverEvent, WebhookEvent } from './receiver/received.ts';
export type { SignatureVerdict } from './receiver/signature-verdict.ts';

export { printScript } from './fault-script/printer.ts';
export { toScript } from './fault-script/script.ts';
export { ScriptError } from './fault-script/script-error.ts';
export type { Script, Step } from './fault-script/step.ts';

export { rehearse as simulate } from './outages/rehearse.ts';
export type { Rehearsal, RehearsalOptions } from './outages/rehearse.ts';
export type { OutageName } from './outages/outages.ts';
export { pictureOf } from './report/picture.ts';
export { totalsOf } from './report/totals.ts';

export { certify } from './certify/certify.ts';
export type { CertifyOptions, Result } from './certify/certify.ts';
export { hasPassed } from './certify/verdicts.ts';

export { exampleOf, webhookExamples } from './contract/webhook-examples.ts';
export { webhookRequest } from './contract/webhook-request.ts';
export type { WebhookRequest, WebhookRequestOptions } from './contract/webhook-request.ts';
