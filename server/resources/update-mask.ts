import { ApiError } from '../http/errors.ts';

export interface Mask {
  readonly paths?: readonly string[];
}

/** Every field path that an update can name, without the resource's key, with the field's empty value (CFG-8). */
export type EmptyValues = Readonly<Record<string, unknown>>;

export interface MaskOptions {
  /** The key of the resource in the body: paths may begin with it (CFG-7). */
  readonly key: string;
  /** The masks beside and inside the resource; both count (D-3). */
  readonly masks: readonly (Mask | undefined)[];
  readonly empties: EmptyValues;
}

/** The bare paths of an update. None at all is fine: nothing will change (D-3). An unknown one is refused. */
export function readMask({ key, masks, empties }: MaskOptions): string[] {
  // Paths may begin with the key of the resource, and are known without it (CFG-7).
  const known = new Map(Object.keys(empties).flatMap((bare) => [[bare, bare] as const, [`${key}.${bare}`, bare]]));
  return masks
    .flatMap((mask) => mask?.paths ?? [])
    .map((path) => {
      const bare = known.get(path) ?? known.get(snakeCase(path));
      if (bare !== undefined) return bare;
      const seen = JSON.stringify(path.slice(0, 200));
      const choices = Object.keys(empties).map((name) => `${key}.${name}`);
      throw new ApiError(
        'InvalidArgument',
        `update_mask.paths: updates do not support ${seen}, only ${choices.join(', ')}`,
      );
    });
}

export interface Patch {
  /** Fields as the client sent them, already of the right types. */
  readonly values: object;
  readonly paths: readonly string[];
  readonly empties: EmptyValues;
}

/**
 * The resource with exactly the listed fields changed (CFG-10): to the value that was sent, or to the empty value where
 * none was (CFG-8). Values without a path change nothing (CFG-9). Without paths it is the very same object.
 */
export function applyMask<R extends object>(resource: R, { values, paths, empties }: Patch): R {
  return paths.reduce((current, path) => withField(current, values, path.split('.'), empties[path]), resource);
}

/** Still a T: the steps lead to a field of T, and the value has passed the schema of that field. */
function withField<T extends object>(
  target: T,
  values: unknown,
  [field = '', ...rest]: readonly string[],
  empty: unknown,
): T {
  const sent: unknown = typeof values === 'object' && values !== null ? Reflect.get(values, field) : undefined;
  if (rest.length === 0) return { ...target, [field]: sent === undefined ? empty : sent };
  const inner: unknown = Reflect.get(target, field);
  return { ...target, [field]: withField(typeof inner === 'object' && inner !== null ? inner : {}, sent, rest, empty) };
}

/** `connectionMode` → `connection_mode`: the other spelling that clients have for fields (D-6). */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
