export { flushOnHide } from './flush-on-hide.ts';
