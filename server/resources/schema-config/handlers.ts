import type { Resources } from '../../storage/config-store.ts';
import { matching } from '../entity-tag.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { sourceName } from '../resource-name.ts';
import { found } from '../store-answers.ts';
import { readMask } from '../update-mask.ts';
import { requireVisible } from '../visible.ts';
import { changeSchemaConfig, EMPTIES, shownSchemaConfig } from './resource.ts';

type Source = Resources['sources'];

type SchemaConfigHandlers = Pick<ConfigHandlers, 'getSchemaConfig' | 'updateSchemaConfig'>;

export function schemaConfigHandlers({ store }: Env): SchemaConfigHandlers {
  return {
    async getSchemaConfig({ path, caller }) {
      const name = requireVisible(caller, sourceName(path));
      return shownSchemaConfig(found(await store.get('sources', name), name));
    },

    async updateSchemaConfig({ path, header, body, caller }) {
      const masks = [body.update_mask, body.schema_config?.update_mask];
      const paths = readMask({ key: 'schema_config', masks, empties: EMPTIES });
      const name = requireVisible(caller, sourceName(path));
      const change = matching(header, (source: Source) => changeSchemaConfig(source, body, paths), shownSchemaConfig);
      return shownSchemaConfig(found(await store.update('sources', name, change), name));
    },
  };
}
