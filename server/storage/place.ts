import { readAddress } from './postgres/connection/address.ts';

const FILE = 'file:';

/** What the scheme of a place chooses: a folder, or a database. */
export type Place = ({ readonly engine: 'file'; readonly folder: string } | { readonly engine: 'postgres' }) & {
  /** As it was given; of a database it has a secret in it. */
  readonly url: string;
  /** For people. */
  readonly shown: string;
};

/** Throws StorageUnusable for the URL of a database that cannot be one. */
export function readPlace(url: string): Place {
  if (!url.startsWith(FILE)) return { engine: 'postgres', url, shown: readAddress(url).shown };
  const folder = url.slice(FILE.length);
  return { engine: 'file', url, folder, shown: folder };
}
