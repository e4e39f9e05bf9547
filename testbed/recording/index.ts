/** What senders sent, kept as fixtures: without credentials, sent again with a new signature, compared. */
export { differences } from './differences.ts';
export { recordedLine, readRecording } from './recording.ts';
export type { Recorded } from './recording.ts';
export { redacted } from './redacted.ts';
export { replay } from './replay.ts';
export type { Replayed } from './replay.ts';
export { signedAnew } from './signed-anew.ts';
export type { Signing } from './signed-anew.ts';
