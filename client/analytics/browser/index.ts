export { flushOnHide } from './flush-on-hide.ts';
export { type PageStore, pageStore, type PageStoreOptions } from './page-store.ts';
