/** What any sender of webhooks does with endpoints that fail. */
export { certifySender } from './certify-sender.ts';
export type { CertifySenderOptions, SenderReport } from './certify-sender.ts';
export { scheduleOf, schedulePicture, scheduleText } from './schedule-picture.ts';
export type { ScheduledAttempt } from './schedule-picture.ts';
export type { Sent } from './sent.ts';
export type { Asked, Trigger } from './trial.ts';
