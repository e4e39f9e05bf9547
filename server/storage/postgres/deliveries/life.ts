import { NotAMember } from '../../errors.ts';
import type { Fence } from '../../../model/delivery.ts';

/** What a member writes with. */
export interface Holder {
  /** The number of its node. */
  readonly id: number;
  readonly epoch: number;
}

/** The life that this process believes to lead. The database knows whether it is over: each statement asks there. */
export class OwnLife {
  readonly node: string;
  readonly #timelineNow: () => number;
  /** Of the server on which it began. */
  #timeline = 0;
  #holder: Holder | undefined;
  #isOver = false;

  constructor(node: string, timeline: () => number) {
    [this.node, this.#timelineNow] = [node, timeline];
  }

  begin(holder: Holder, timeline: number): void {
    [this.#holder, this.#timeline] = [holder, timeline];
    this.#isOver = false;
  }

  /** The database said so of this holder. What was asked long ago may be answered when the next life has begun, which goes on. */
  end({ epoch }: Pick<Holder, 'epoch'>): void {
    if (epoch === this.#holder?.epoch) this.#isOver = true;
  }

  /** Known to be over, whatever is said of it later. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Undefined before it has joined. It may be over. */
  get holder(): Holder | undefined {
    return this.#holder;
  }

  /**
   * Another server has taken over since it began, which may be behind: what this life holds may have the number of something else
   * there, so it takes nothing more.
   */
  get isLeftBehind(): boolean {
    return this.#timeline !== this.#timelineNow();
  }

  /** Who takes something; throws when nobody of this process can. */
  require(): Holder {
    if (this.isLeftBehind) throw this.over();
    return this.speaker();
  }

  /** Who tells what it has sent; throws when nobody of this process can. */
  speaker(): Holder {
    if (this.#holder === undefined || this.#isOver) throw this.over();
    return this.#holder;
  }

  over(): NotAMember {
    return new NotAMember(`${this.node} is no member of the storage, or not any more`);
  }

  /** Whether a fence is of this life, which is not known to be over. */
  has({ node, epoch }: Fence): boolean {
    return !this.#isOver && node === this.node && epoch === this.#holder?.epoch;
  }
}
