import { Memory } from '../../storage/memory/memory.ts';
import { stillClock } from '../support/still-clock.ts';
import { configStoreConformance, type ConfigStorePlace } from './config-store.ts';

/** A memory of its own, whose nodes hear of what others do when they ask, and not before. */
async function memoryPlace(): Promise<ConfigStorePlace> {
  const memory = new Memory({ clock: stillClock(() => 0), hearLater: () => undefined });
  const open = () => Promise.resolve(memory.open().resources);
  return { store: await open(), reopen: open, other: open, end: () => Promise.resolve() };
}

configStoreConformance('memory', memoryPlace, ['refuseWrites']);
