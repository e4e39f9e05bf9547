import type { Resources, AccessToken } from '../../model/resources.ts';

const TIME = '2026-11-20T00:00:00.000Z';

export function workspace(slug: string, id = idOf(slug)): Resources['workspaces'] {
  return { name: `workspaces/${slug}`, display_name: slug, id, create_time: TIME };
}

/** A source below `workspaces/<home>`, with a write key of its own unless one is given. */
export function source(home: string, slug: string, writeKey = `key-${home}-${slug}`): Resources['sources'] {
  return {
    name: `workspaces/${home}/sources/${slug}`,
    parent: `workspaces/${home}`,
    id: idOf(slug),
    display_name: slug,
    catalog_name: 'catalog/sources/javascript',
    write_keys: [writeKey],
    library_config: { metrics_enabled: false, retry_queue: false, cross_domain_id_enabled: false, api_host: '' },
    labels: {},
    create_time: TIME,
  };
}

export function destination(parent: string, slug = 'webhooks'): Resources['destinations'] {
  return {
    name: `${parent}/destinations/${slug}`,
    parent,
    display_name: 'Webhooks',
    enabled: false,
    connection_mode: 'UNSPECIFIED',
    config: [{ name: `${parent}/destinations/${slug}/config/hooks`, display_name: '', type: 'mixed', value: [{}] }],
    create_time: TIME,
    update_time: TIME,
  };
}

export function trackingPlan(home: string, id: string): Resources['tracking-plans'] {
  const name = `workspaces/${home}/tracking-plans/${id}`;
  return { name, display_name: id, rules: { events: [] }, create_time: TIME, update_time: TIME };
}

export function filter(parent: string, id: string): Resources['filters'] {
  return { name: `${parent}/filters/${id}`, title: id, description: '', if: 'all', actions: [], enabled: true };
}

export function regulation(home: string, id: string): Resources['regulations'] {
  return {
    name: `workspaces/${home}/regulations/${id}`,
    regulate_id: id,
    parent: `workspaces/${home}`,
    regulation_type: 'Suppress',
    overall_status: 'INITIALIZED',
    source_status: [],
    create_time: TIME,
    user_ids: ['u1'],
  };
}

export function audience(home: string, id: string, key = id): Resources['audiences'] {
  return { ...computed(`workspaces/${home}/audiences/${id}`, key), definition: { trait: 'plan', is: { eq: 'pro' } } };
}

export function computedTrait(home: string, id: string, key = id): Resources['computed-traits'] {
  return { ...computed(`workspaces/${home}/computed-traits/${id}`, key), definition: { counter: { where: 'all' } } };
}

function computed(name: string, key: string) {
  const none = { enabled: true, destinations: [], measures_from: {} };
  return { ...none, name, key, display_name: key, profiles_from: TIME, create_time: TIME, update_time: TIME };
}

export function token(id: string, hash = `hash-of-${id}`): AccessToken {
  const name = `access-tokens/${id}`;
  return { name, description: id, scopes: 'workspace', workspace_names: [], create_time: TIME, hash };
}

/** Ten hex digits that differ for different slugs of a test. */
function idOf(slug: string): string {
  return Buffer.from(slug.padEnd(5, '-').slice(0, 5)).toString('hex');
}
