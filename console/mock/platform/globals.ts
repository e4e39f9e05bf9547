import { BrowserBuffer } from './buffer.ts';

/** A turn of the event loop, without the few milliseconds that browsers add to timers. */
function setImmediate(begin: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => {
    port1.close();
    begin();
  });
  port1.start();
  port2.postMessage(undefined);
}

Object.assign(globalThis, { Buffer: BrowserBuffer, setImmediate });
