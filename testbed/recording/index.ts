/** What senders sent, kept in files and as fixtures: without credentials, sent again with a new signature, compared. */
export { archiveTo } from './archive-to.ts';
export { differences } from './differences.ts';
export { harOf } from './har.ts';
export { recordTo } from './record-to.ts';
export type { Recording } from './record-to.ts';
export { recordedLine, readRecording, recordingLine } from './recording.ts';
export type { Recorded } from './recording.ts';
export { redacted } from './redacted.ts';
export { replay } from './replay.ts';
export type { Replayed } from './replay.ts';
export { RecordingError } from './sink.ts';
export { signedAnew } from './signed-anew.ts';
export type { Signing } from './signed-anew.ts';
