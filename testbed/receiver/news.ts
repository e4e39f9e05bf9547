import type { Journal } from './journal.ts';
import type { Forwarded, Received, ReceiverEvent } from './received.ts';

export type Observer = (event: ReceiverEvent) => void;

/** Passes on what happens: first to what the receiver itself remembers, then to who observes. */
export class News {
  readonly #journal: Journal;
  readonly #observers = new Set<Observer>();
  readonly #answers = new WeakMap<Received, Forwarded>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  tell(event: ReceiverEvent): void {
    if (event.kind === 'received') this.#journal.add(event.request);
    if (event.kind === 'forwarded') this.#answers.set(event.request, event.answer);
    for (const observer of this.#observers) observer(event);
  }

  answerTo(request: Received): Forwarded | undefined {
    return this.#answers.get(request);
  }

  add(observer: Observer): () => void {
    this.#observers.add(observer);
    return () => {
      this.#observers.delete(observer);
    };
  }

  /** From here on nobody is told. */
  end(): void {
    this.#observers.clear();
  }
}
