export { closeOnSignal } from './close-on-signal.ts';
export { diskStore, type DiskStoreOptions } from './disk-store.ts';
