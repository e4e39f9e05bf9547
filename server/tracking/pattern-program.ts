import type { Budget } from '../evaluation/budget.ts';

/** One instruction of a regular expression that RE2 has compiled. */
interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  matchRune(code: number): boolean;
}

export interface Program {
  readonly inst: readonly Instruction[];
  readonly start: number;
  /** What must hold where a match begins. */
  startCond(): number;
}

/** The operations of RE2 that do not look at a character. */
const [ALT, ALT_MATCH, CAPTURE, EMPTY_WIDTH, FAIL, MATCH, NOP] = [1, 2, 3, 4, 5, 6, 7] as const;
const [RUNE_ANY, RUNE_ANY_NOT_NL] = [10, 11] as const;
/** What can hold between two characters. */
const [BEGIN_LINE, END_LINE, BEGIN_TEXT, END_TEXT, BOUNDARY, NO_BOUNDARY] = [1, 2, 4, 8, 16, 32] as const;
const NEWLINE = 10;

/** Of each instruction that is looked at. */
const INSTRUCTION_STEPS = 2;

/** Whether a program matches anywhere in a text. */
export type Run = (text: string, budget: Budget) => boolean;

/**
 * Runs a program by all its threads at once, one character after the other, as Thompson did, and pays for each instruction.
 * RE2JS itself runs a text in one go: what took it half a second could neither be stopped nor foreseen.
 */
export function runnerOf(program: Program): Run {
  const isAnchored = (program.startCond() & BEGIN_TEXT) !== 0;
  let [threads, next] = [createThreads(program), createThreads(program)];
  return (text, budget) => {
    threads.clear();
    let before = -1;
    for (let at = 0; ;) {
      const code = text.codePointAt(at) ?? -1;
      const isFound = (at === 0 || !isAnchored) && threads.add(program.start, contextOf(before, code));
      at += code > 0xff_ff ? 2 : 1;
      if (isFound || threads.isMatched || code < 0 || (isAnchored && threads.size === 0)) return threads.isMatched;
      next.clear();
      threads.step(code, contextOf(code, text.codePointAt(at) ?? -1), next);
      budget.spend(INSTRUCTION_STEPS * (1 + threads.size + next.size));
      [threads, next] = [next, threads];
      before = code;
    }
  };
}

interface Threads {
  size: number;
  isMatched: boolean;
  clear(): void;
  /** Follows all that looks at no character; whether that ends in a match. */
  add(from: number, context: number): boolean;
  /** Hands those on that take the character. */
  step(code: number, context: number, next: Threads): void;
}

/** A set of instructions in which each stands once: a list, and for each instruction its place in it. */
function createThreads({ inst }: Program): Threads {
  const [list, placeOf, stack] = [new Uint32Array(inst.length), new Uint32Array(inst.length), [0]];
  const threads: Threads = {
    size: 0,
    isMatched: false,
    clear() {
      threads.size = 0;
      threads.isMatched = false;
    },
    add(from, context) {
      stack.push(from);
      for (let at = stack.pop(); at !== undefined && at !== 0; at = stack.pop()) {
        const place = placeOf[at] ?? 0;
        if (place < threads.size && list[place] === at) continue;
        placeOf[at] = threads.size;
        list[threads.size] = at;
        threads.size += 1;
        follow(inst[at], context);
      }
      return threads.isMatched;
    },
    step(code, context, next) {
      for (let index = 0; index < threads.size; index += 1) {
        const one = inst[list[index] ?? 0];
        if (one !== undefined && takes(one, code)) next.add(one.out, context);
      }
    },
  };
  const follow = (one: Instruction | undefined, context: number): void => {
    if (one === undefined) return;
    if (one.op === MATCH) threads.isMatched = true;
    else if (one.op === ALT || one.op === ALT_MATCH) stack.push(one.arg, one.out);
    else if (one.op === CAPTURE || one.op === NOP) stack.push(one.out);
    else if (one.op === EMPTY_WIDTH && (one.arg & ~context) === 0) stack.push(one.out);
  };
  return threads;
}

function takes(one: Instruction, code: number): boolean {
  switch (one.op) {
    case ALT:
    case ALT_MATCH:
    case CAPTURE:
    case EMPTY_WIDTH:
    case FAIL:
    case MATCH:
    case NOP:
      return false;
    case RUNE_ANY:
      return true;
    case RUNE_ANY_NOT_NL:
      return code !== NEWLINE;
    default:
      return one.matchRune(code);
  }
}

/** What holds between two characters; -1 is the edge of the text. */
function contextOf(before: number, after: number): number {
  let context = isWord(before) === isWord(after) ? NO_BOUNDARY : BOUNDARY;
  if (before < 0) context |= BEGIN_TEXT | BEGIN_LINE;
  else if (before === NEWLINE) context |= BEGIN_LINE;
  if (after < 0) context |= END_TEXT | END_LINE;
  else if (after === NEWLINE) context |= END_LINE;
  return context;
}

function isWord(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f
  );
}
