import type { Fields } from './config-kinds.ts';
import { defaultConfig } from './config-settings.ts';

/** The fields with one path of a mask changed: to what was sent, or to the empty value where nothing was (CFG-8). */
export function withPath(fields: Fields, path: string, sent: Fields, empties: Fields, kind: string): Fields {
  if (path === 'config') return { ...fields, ...configUpdate(fields, sent, kind) };
  const [field = '', inner] = path.split('.');
  const value: unknown = inner === undefined ? sent[field] : Reflect.get(Object(sent[field]), inner);
  if (inner !== undefined) return { ...fields, [field]: { ...Object(fields[field]), [inner]: value ?? empties[path] } };
  if (field === 'library_config') return { ...fields, [field]: { ...Object(empties[field]), ...Object(value) } };
  return { ...fields, [field]: value ?? empties[path] };
}

/** D-11: entries are merged by name; listed without any, the config is as it was before anything was set. */
function configUpdate(fields: Fields, sent: Fields, kind: string): Fields {
  const entries = Object.entries(Object(sent['config']));
  if (entries.length === 0) return { config: defaultConfig(kind) };
  return configOf(Object(fields['config']), sent);
}

/** All four of its fields, whichever were sent. */
export function libraryOf({ library_config: before }: Fields, { library_config: sent }: Fields): Fields {
  return sent === undefined ? {} : { library_config: { ...Object(before), ...Object(sent) } };
}

export function configOf(before: Fields, { config }: Fields): Fields {
  return config === undefined ? {} : { config: { ...before, ...Object(config) } };
}

export function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : [];
}
