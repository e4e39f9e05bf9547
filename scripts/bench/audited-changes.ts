import { join } from 'node:path';
import { makeSource } from '../../server/resources/sources.ts';
import { makeWorkspace } from '../../server/resources/workspaces.ts';
import type { Author, ConfigStore } from '../../server/storage/config-store.ts';
import { openConfigStore } from '../../server/storage/file/resources/config-store.ts';
import { createDisk } from '../../server/storage/file/resources/disk.ts';
import { MAX_ENTRIES } from '../../server/storage/resources/audit.ts';
import { median } from './figures.ts';

/** A change of a store, against the same one where nobody's name is kept. */
export interface AuditCost {
  readonly processorTime: number;
  readonly bytes: number;
}

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const SOURCES = 10;
/** Changes are measured in turns, so that what else the machine does weighs on both alike. */
const [TURNS, CHANGES] = [20, 64];
const SOURCE = 'workspaces/w0/sources/s0';

class Measured {
  readonly #store: ConfigStore;
  readonly #author: Author | undefined;
  readonly #written: () => number;
  readonly processorTimes: number[] = [];
  readonly bytes: number[] = [];
  #changes = 0;

  constructor(store: ConfigStore, author: Author | undefined, written: () => number) {
    this.#store = store;
    this.#author = author;
    this.#written = written;
  }

  async change(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      const display_name = `change ${(this.#changes += 1)}`;
      await this.#store.update('sources', SOURCE, (one) => ({ ...one, display_name }), this.#author);
    }
  }

  async turn(): Promise<void> {
    const [before, written] = [process.cpuUsage(), this.#written()];
    await this.change(CHANGES);
    const { user, system } = process.cpuUsage(before);
    this.processorTimes.push(user + system);
    this.bytes.push(this.#written() - written);
  }
}

/** Of a workspace with ten sources whose audit is full. */
export async function auditCost(folder: string): Promise<AuditCost> {
  const token = {
    token: 'access-tokens/0123456789',
    token_description: 'deployments of the shop',
    address: '192.0.2.1',
  };
  const author = { create_time: new Date().toISOString(), operation: 'updateSource', ...token };
  const audited = await filled(join(folder, 'kept'), author);
  const plain = await filled(join(folder, 'plain'), undefined);
  await audited.change(MAX_ENTRIES);
  await plain.change(CHANGES);
  for (let turn = 0; turn < TURNS; turn += 1) for (const one of [plain, audited]) await one.turn();
  return {
    processorTime: median(audited.processorTimes) / median(plain.processorTimes),
    bytes: median(audited.bytes) / median(plain.bytes),
  };
}

async function filled(folder: string, author: Author | undefined): Promise<Measured> {
  const disk = createDisk();
  let bytes = 0;
  const counting: Partial<typeof disk> = {
    replace: (file, content, draft) => {
      const parts = typeof content === 'string' ? [Buffer.from(content)] : [...content];
      for (const part of parts) bytes += part.length;
      return disk.replace(file, parts, draft);
    },
    append: (file, text) => {
      bytes += text.length;
      return disk.append(file, text);
    },
  };
  const store = await openConfigStore({ folder, log: SILENT, disk: { ...disk, ...counting } });
  const now = Date.now();
  await store.create('workspaces', makeWorkspace({ name: 'workspaces/w0' }, now));
  for (let index = 0; index < SOURCES; index += 1) {
    const source = { name: `workspaces/w0/sources/s${index}`, catalog_name: 'catalog/sources/javascript' };
    await store.create('sources', makeSource(source, 'workspaces/w0', now));
  }
  return new Measured(store, author, () => bytes);
}
