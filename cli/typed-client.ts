import { type ConfigClient, createConfigClient } from '../client/config/config-client.ts';
import { type Connection, optionsOf } from './connection.ts';

/** The requests of the contract, each with its types. Commands of the contract itself need none of them: they ask by `sendTo`. */
export function clientOf(connection: Connection): ConfigClient {
  return createConfigClient(optionsOf(connection));
}
