/** The former name, while the last imports move. */
export { openSqliteStorage as openSqliteDeliveryStore } from './sqlite-storage.ts';
