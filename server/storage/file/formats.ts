/** A numbered step from a format to the next. It stays as it was released: folders of that version are still out there. */
export interface Migration {
  /** The format that it starts from. */
  readonly from: number;
  /** What it changes, for operators. */
  readonly what: string;
}

export interface SqlMigration extends Migration {
  /** Runs in a transaction of its own, which also counts the format up. */
  readonly sql: string;
}

/** The steps that lead from a format to the current one; undefined when there is no way. */
export function stepsFrom<M extends Migration>(
  migrations: readonly M[],
  format: number,
  current: number,
): readonly M[] | undefined {
  if (format === current) return [];
  const steps = migrations.filter(({ from }) => from >= format);
  return format < current && steps[0]?.from === format ? steps : undefined;
}

/** Why a file is not read, with both versions and the way out. */
export function unreadable(format: unknown, current: number): string {
  const found = `has format ${String(format)}, and this Waybill reads format ${current}`;
  if (typeof format !== 'number' || format <= current) return `${found}: restore it from a copy`;
  return `${found}: start the newer version of Waybill that wrote it, or go back to the backup from before its migration`;
}

/** Why a file of an older format is not opened as it is. */
export function outdated(format: number, current: number): string {
  return `has format ${format}, and this Waybill works with format ${current}: migrate it with "waybill migrate"`;
}
