export { createReceiver } from './receiver/receiver.ts';
export type { EndpointView, Patience, Receiver, Wanted } from './receiver/receiver.ts';
export type { Filter } from './receiver/journal.ts';
export { ListenError } from './receiver/listener.ts';
export type { EndpointOptions, ReceiverOptions } from './receiver/options.ts';
export { TLS_FAULTS } from './tls/tls-fault.ts';
export type { TlsFault } from './tls/tls-fault.ts';
export { SOCKETS } from './receiver/performer.ts';
export { headerOf, textOf } from './receiver/received.ts';
export type { Forwarded, Header, Received, ReceiverEvent, TurnedAway, WebhookEvent } from './receiver/received.ts';
export type { SignatureVerdict } from './receiver/signature-verdict.ts';
export { systemClock } from './receiver/system-clock.ts';

export { assertPlayable } from './fault-script/back-end.ts';
export type { BackEnd } from './fault-script/back-end.ts';
export type { Answer, Behavior, Filling, Malformed, OutOfReach, Stop, Trickle } from './fault-script/behavior.ts';
export { BEGINNING, play } from './fault-script/player.ts';
export type { Playhead, Request, Turn } from './fault-script/player.ts';
export { printScript, printStep } from './fault-script/printer.ts';
export { checkScript, toScript } from './fault-script/script.ts';
export { ScriptError } from './fault-script/script-error.ts';
export type { Place } from './fault-script/script-error.ts';
export { EVENT_TYPES, MALFORMATIONS, STAGES, UNREACHABLES } from './fault-script/step.ts';
export type * from './fault-script/step.ts';

export { OUTAGES, outageNamed } from './outages/outages.ts';
export type { OutageName } from './outages/outages.ts';
export type { Outage, Phase } from './outages/outage.ts';
export { rehearse as simulate } from './outages/rehearse.ts';
export type { Rehearsal, RehearsalOptions } from './outages/rehearse.ts';
export { pictureOf } from './report/picture.ts';
export type { Picture } from './report/picture.ts';
export { totalsOf } from './report/totals.ts';
export type { Totals } from './report/totals.ts';
export { htmlReport } from './report/html-report.ts';
export { svgPicture } from './report/svg-picture.ts';

export { certify } from './certify/certify.ts';
export { CertifyError } from './certify/certify-error.ts';
export type { CertifyOptions, Result } from './certify/certify.ts';
export { hasPassed } from './certify/verdicts.ts';
export { signStatement, verifyStatement } from './certify/statement.ts';
export type { SignedStatement, Statement, Verification } from './certify/statement.ts';

export { auditContract } from './audit/contract-audit.ts';
export { auditSchedule } from './audit/schedule-audit.ts';
export { auditSignatures } from './audit/signature-audit.ts';
export type { Observed, Violation } from './audit/observed.ts';

export { readRecording, recordingLine } from './recording/recording.ts';
export type { Recorded } from './recording/recording.ts';
export { replay } from './recording/replay.ts';
export type { Replayed } from './recording/replay.ts';
export { harOf } from './recording/har.ts';
export { recordTo } from './recording/record-to.ts';
export type { Recording } from './recording/record-to.ts';
export { archiveTo } from './recording/archive-to.ts';
export { RecordingError } from './recording/sink.ts';

export { openControl } from './control/control.ts';
export type { Control, ControlOptions } from './control/control.ts';

export { exampleOf, webhookExamples } from './contract/webhook-examples.ts';
export { webhookRequest } from './contract/webhook-request.ts';
export type { WebhookRequest, WebhookRequestOptions } from './contract/webhook-request.ts';
