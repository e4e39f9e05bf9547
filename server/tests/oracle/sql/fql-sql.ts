/**
 * FQL as SQL, straight from the text: as much of it as the definitions of the oracle use. It shares nothing with the router's own
 * reading. What a path finds is a column of JSON, null for what is not there.
 */
export function fqlSql(text: string): string {
  const tokens = [...text.matchAll(/'([^']*)'|(-?\d+(?:\.\d+)?)|([A-Za-z_][\w.]*)|(!=|>=|<=|[=><!()[\],])/g)];
  let at = 0;
  const take = (wanted: string): boolean => (tokens[at]?.[0] === wanted ? ((at += 1), true) : false);
  const expect = (wanted: string): void => {
    if (!take(wanted)) throw new Error(`${wanted} is missing in ${text}`);
  };

  const disjunction = (): string => {
    let sql = conjunction();
    while (take('or')) sql = `(${sql} OR ${conjunction()})`;
    return sql;
  };
  const conjunction = (): string => {
    let sql = negation();
    while (take('and')) sql = `(${sql} AND ${negation()})`;
    return sql;
  };
  const negation = (): string => {
    if (take('!')) return `(NOT ${negation()})`;
    if (!take('(')) return comparison();
    const sql = disjunction();
    expect(')');
    return sql;
  };
  const comparison = (): string => {
    if (take('all')) return 'true';
    if (take('contains')) return contains();
    const left = operand();
    const operator = tokens[at]?.[0] ?? '';
    at += 1;
    if (operator === 'in') return `coalesce(${left} IN (${list().join(', ')}), false)`;
    const right = operand();
    if (operator === '=') return `(${left} IS NOT DISTINCT FROM ${right})`;
    if (operator === '!=') return `(${left} IS DISTINCT FROM ${right})`;
    return `coalesce(${numberSql(left)} ${operator} ${numberSql(right)}, false)`;
  };
  const contains = (): string => {
    expect('(');
    const [whole, , part] = [operand(), expect(','), operand()];
    expect(')');
    return `coalesce(contains(${textSql(whole)}, ${textSql(part)}), false)`;
  };
  const list = (): string[] => {
    expect('[');
    const items = [operand()];
    while (take(',')) items.push(operand());
    expect(']');
    return items;
  };
  const operand = (): string => {
    const [whole, quoted, number, path] = tokens[at] ?? [];
    at += 1;
    if (quoted !== undefined) return literal(JSON.stringify(quoted));
    if (number !== undefined) return literal(number);
    if (path === undefined) throw new Error(`${whole ?? 'the end'} is no operand in ${text}`);
    return column(path);
  };

  const sql = disjunction();
  if (at !== tokens.length) throw new Error(`${text} goes on after what was read`);
  return sql;
}

/** Columns of the table of events, by the paths that are read into them. */
export const COLUMNS: ReadonlyMap<string, string> = new Map([
  ['event', 'event'],
  ['type', 'type'],
  ['properties.total', 'total'],
  ['properties.item', 'item'],
]);

export function column(path: string): string {
  const name = COLUMNS.get(path);
  if (name === undefined) throw new Error(`there is no column for ${path}`);
  return `e.${name}`;
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The number in a JSON, or null. */
export function numberSql(json: string): string {
  return `TRY_CAST(CASE WHEN regexp_matches(${json}, '^[-0-9]') THEN ${json} END AS DOUBLE)`;
}

/** The text in a JSON, or null. */
export function textSql(json: string): string {
  return `CASE WHEN ${json}[1] = '"' THEN json_extract_string(${json}, '$') END`;
}
