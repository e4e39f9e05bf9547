/**
 * Loaded before a router, puts it where a stored folder comes from: its clock goes on from `CLOCK_AT`, and what it sends
 * to `PORT_FROM` arrives at `PORT_TO`. The folder itself stays as it was stored.
 */
import { Socket } from 'node:net';

const { CLOCK_AT = '0', PORT_FROM = '', PORT_TO = '' } = process.env;
const RealDate = Date;
const offset = Number(CLOCK_AT) - RealDate.now();
const origin = performance.timeOrigin + offset;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, self) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + offset] : args, self),
  get: (target, key) => (key === 'now' ? () => RealDate.now() + offset : Reflect.get(target, key)),
});
Object.defineProperty(performance, 'timeOrigin', { get: () => origin });

const connect: unknown = Reflect.get(Socket.prototype, 'connect');
Reflect.set(Socket.prototype, 'connect', function (this: Socket, ...args: unknown[]) {
  // Node's own callers pass a list of options and callback.
  const options = Array.isArray(args[0]) ? args[0][0] : args[0];
  if (typeof options === 'object' && String(options.port) === PORT_FROM) options.port = Number(PORT_TO);
  return typeof connect === 'function' ? Reflect.apply(connect, this, args) : undefined;
});
