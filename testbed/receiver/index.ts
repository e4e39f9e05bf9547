/** More of the receiver: its control API, its certificates, and the types of what it tells. */
export { openControl } from '../control/control.ts';
export type { Control, ControlOptions } from '../control/control.ts';
export { TLS_FAULTS } from '../tls/tls-fault.ts';
export type { TlsFault } from '../tls/tls-fault.ts';
export type { Filter } from './journal.ts';
export { SOCKETS } from './performer.ts';
export type { Forwarded, Header, TurnedAway } from './received.ts';
export type { EndpointView, Patience } from './receiver.ts';
export type { Resent } from './resend.ts';
export { systemClock } from './system-clock.ts';
