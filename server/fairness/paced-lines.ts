import { PacedWork, type PaceTime } from './paced-work.ts';
import { Semaphore } from './semaphore.ts';

interface Line {
  readonly turns: Semaphore;
  readonly pace: PacedWork;
  /** That wait or are done, the rest after the last one included. */
  works: number;
}

/** Work of which each holder (a workspace) has one piece at a time, followed by the rest that its `pace` asks for. */
export class PacedLines {
  readonly #time: PaceTime | undefined;
  readonly #lines = new Map<string, Line>();

  constructor(time?: PaceTime) {
    this.#time = time;
  }

  async run<Answer>(work: (pace: PacedWork) => Promise<Answer>, holder: string): Promise<Answer> {
    const line = this.#lines.get(holder) ?? { turns: new Semaphore(1), pace: new PacedWork(this.#time), works: 0 };
    this.#lines.set(holder, line);
    line.works += 1;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    void line.turns.run(async () => {
      await work(line.pace).then(resolve, reject);
      await line.pace.rest();
      line.works -= 1;
      if (line.works === 0) this.#lines.delete(holder);
    });
    return promise;
  }

  /** Resolves once all is done, without rests. */
  async end(): Promise<void> {
    for (const { pace } of this.#lines.values()) pace.hurry();
    await Promise.all([...this.#lines.values()].map(({ turns }) => turns.idle()));
  }
}
