import { type Comparison, COMPARISONS, type Expression } from './expression.ts';
import { FUNCTIONS, isFunctionName } from './functions.ts';
import { FqlFault } from './syntax-fault.ts';
import { type SymbolText, type Token, tokenize } from './tokenize.ts';

/** Deeper than people write, and far from what exhausts the stack. */
const DEEPEST = 100;
const LONGEST = 4_096;

/** Reads a condition; docs/fql.md has the grammar. Throws an FqlFault with the column of the first mistake. */
export function parse(text: string): Expression {
  if (text.length > LONGEST) throw new FqlFault(LONGEST + 1, `a condition has at most ${LONGEST} characters`);
  const parser = new Parser(tokenize(text));
  return parser.whole();
}

/** Recursive descent: one method for each rule of the grammar. */
class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    if (this.#peek().kind === 'end') return { kind: 'never' };
    const expression = this.#or();
    if (this.#peek().kind !== 'end') throw this.#unexpected('the end, or "and", "or", "in" or a comparison');
    return expression;
  }

  #peek(): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Error('the parser went past the end of its tokens');
    return token;
  }

  #or(): Expression {
    let left = this.#and();
    while (this.#takeWord('or')) left = { kind: 'or', left, right: this.#and() };
    return left;
  }

  #and(): Expression {
    let left = this.#not();
    while (this.#takeWord('and')) left = { kind: 'and', left, right: this.#not() };
    return left;
  }

  #not(): Expression {
    if (!this.#takeSymbol('!')) return this.#comparison();
    return { kind: 'not', of: this.#nested(() => this.#not()) };
  }

  #comparison(): Expression {
    const left = this.#operand();
    const operator = this.#takeComparison();
    if (operator !== undefined) return { kind: 'compare', operator, left, right: this.#operand() };
    return this.#takeWord('in') ? { kind: 'in', left, right: this.#operand() } : left;
  }

  #operand(): Expression {
    const token = this.#peek();
    switch (token.kind) {
      case 'string':
      case 'number':
        this.#at += 1;
        return { kind: 'literal', value: token.value };
      case 'path':
        return this.#named(token);
      case 'symbol':
        if (this.#takeSymbol('(')) return this.#group();
        if (this.#takeSymbol('[')) return { kind: 'list', items: this.#nested(() => this.#items(']')) };
        throw this.#unexpected('a value');
      case 'end':
        throw this.#unexpected('a value');
    }
  }

  #group(): Expression {
    const inner = this.#nested(() => this.#or());
    this.#expect(')');
    return inner;
  }

  #named(token: Token & { kind: 'path' }): Expression {
    this.#at += 1;
    if (this.#takeSymbol('(')) return this.#call(token);
    switch (token.plain) {
      case 'true':
      case 'false':
        return { kind: 'literal', value: token.plain === 'true' };
      case 'null':
        return { kind: 'literal', value: null };
      case 'all':
        return { kind: 'all' };
      case 'and':
      case 'or':
      case 'in':
        throw new FqlFault(token.column, `"${token.plain}" needs a value before it`);
      default:
        return { kind: 'path', steps: token.steps };
    }
  }

  #call({ plain: name, column }: Token & { kind: 'path' }): Expression {
    if (!isFunctionName(name)) {
      throw new FqlFault(column, `${name} is no function; there are ${Object.keys(FUNCTIONS).join(', ')}`);
    }
    const args = this.#nested(() => this.#items(')'));
    const { arity } = FUNCTIONS[name];
    if (args.length === arity) return { kind: 'call', name, args };
    throw new FqlFault(column, `${name} takes ${arity} argument${arity === 1 ? '' : 's'}, got ${args.length}`);
  }

  #items(close: SymbolText): Expression[] {
    const items: Expression[] = [];
    if (this.#takeSymbol(close)) return items;
    do items.push(this.#or());
    while (this.#takeSymbol(','));
    this.#expect(close);
    return items;
  }

  #nested<T>(read: () => T): T {
    if (this.#depth === DEEPEST) throw new FqlFault(this.#peek().column, `nested deeper than ${DEEPEST} levels`);
    this.#depth += 1;
    const result = read();
    this.#depth -= 1;
    return result;
  }

  #takeSymbol(text: SymbolText): boolean {
    const token = this.#peek();
    const isThere = token.kind === 'symbol' && token.text === text;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #takeWord(word: 'and' | 'or' | 'in'): boolean {
    const token = this.#peek();
    const isThere = token.kind === 'path' && token.plain === word;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #takeComparison(): Comparison | undefined {
    return COMPARISONS.find((operator) => this.#takeSymbol(operator));
  }

  #expect(text: SymbolText): void {
    if (!this.#takeSymbol(text)) throw this.#unexpected(`"${text}"`);
  }

  #unexpected(wanted: string): FqlFault {
    const token = this.#peek();
    return new FqlFault(token.column, `expected ${wanted}, got ${shown(token)}`);
  }
}

function shown(token: Token): string {
  switch (token.kind) {
    case 'symbol':
      return JSON.stringify(token.text);
    case 'path':
      return token.plain.slice(0, 80);
    case 'string':
    case 'number':
      return JSON.stringify(token.value).slice(0, 80);
    case 'end':
      return 'the end of the condition';
  }
}
