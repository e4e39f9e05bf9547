/**
 * FQL as the oracle reads it: as much of it as worlds use, straight from the text. It shares nothing with the router's own
 * reading, so that a mistake there has to be made here as well to stay unseen.
 */
export function fqlHolds(text: string, event: object): boolean {
  const rest = [...text.matchAll(/'([^']*)'|(-?\d+(?:\.\d+)?)|([A-Za-z_][\w.]*)|(!=|>=|<=|[=><!()[\],])/g)];
  let at = 0;
  const peek = (): string => rest[at]?.[0] ?? '';
  const take = (wanted: string): boolean => (peek() === wanted ? ((at += 1), true) : false);

  const disjunction = (): boolean => {
    let found = conjunction();
    while (take('or')) found = [conjunction(), found].includes(true);
    return found;
  };
  const conjunction = (): boolean => {
    let found = negation();
    while (take('and')) found = [negation(), found].every((one) => one);
    return found;
  };
  const negation = (): boolean => (take('!') ? !negation() : comparison());
  const comparison = (): boolean => {
    const left = operand();
    const operator = peek();
    if (operator === 'in') {
      at += 1;
      const list = operand();
      return Array.isArray(list) && list.includes(left);
    }
    if (!['=', '!=', '>', '>=', '<', '<='].includes(operator)) return left === true;
    at += 1;
    return compared(operator, left, operand());
  };
  const operand = (): unknown => {
    const token = rest[at];
    if (token === undefined) throw new Error(`the oracle cannot read ${text}`);
    at += 1;
    const [whole, quoted, number, word] = token;
    if (quoted !== undefined) return quoted;
    if (number !== undefined) return Number(number);
    if (whole === '(') return closed(disjunction(), ')');
    if (whole === '[') return closed(list(), ']');
    if (word === 'all' || word === 'true') return true;
    if (word === 'contains' && take('(')) {
      const [value, part] = list();
      take(')');
      return typeof value === 'string' && typeof part === 'string' && value.split(part).length > 1;
    }
    return pathOf(event, whole);
  };
  const list = (): unknown[] => {
    const items = [operand()];
    while (take(',')) items.push(operand());
    return items;
  };
  const closed = <Value>(value: Value, by: string): Value => {
    if (!take(by)) throw new Error(`the oracle misses ${by} in ${text}`);
    return value;
  };
  return disjunction();
}

function compared(operator: string, left: unknown, right: unknown): boolean {
  if (operator === '=') return left === right;
  if (operator === '!=') return left !== right;
  if (typeof left !== 'number' || typeof right !== 'number') return false;
  const signs = { '>': left > right, '>=': left >= right, '<': left < right, '<=': left <= right };
  return new Map(Object.entries(signs)).get(operator) ?? false;
}

/** Null for what is not there. */
export function pathOf(event: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inner, step) =>
        inner instanceof Object ? (Object.entries(inner).find(([key]) => key === step)?.[1] ?? null) : null,
      event,
    );
}
