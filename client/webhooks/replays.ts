/** Remembers which requests came before, by their `webhook-id`. One with a store for several receivers may be given. */
export interface ReplayGuard {
  /** `new`: handle it; `busy`: it is being handled right now; `done`: it was handled. To be remembered until then. */
  begin(id: string, until: number): ReplayState | Promise<ReplayState>;
  /** After `new`: whether it was handled. What was not may come again. */
  end(id: string, isHandled: boolean): void | Promise<void>;
}

export type ReplayState = 'new' | 'busy' | 'done';

/** Only signed requests are remembered, and none for longer than its timestamp is accepted: this is for bursts. */
const MAX_IDS = 100_000;

/** A guard in memory, for one receiver. */
export function replayGuard(now: () => number = Date.now): ReplayGuard {
  const known = new Map<string, { readonly until: number; readonly isDone: boolean }>();
  const forget = (): void => {
    // The oldest come first, nearly in the order of their ends.
    for (const [id, { until }] of known) {
      if (until >= now() && known.size <= MAX_IDS) return;
      known.delete(id);
    }
  };
  return {
    begin(id, until) {
      forget();
      const before = known.get(id);
      if (before === undefined || before.until < now()) {
        known.set(id, { until, isDone: false });
        return 'new';
      }
      // A later attempt has a later time, and a copy of that one is accepted for longer.
      if (until > before.until) {
        known.delete(id);
        known.set(id, { ...before, until });
      }
      return before.isDone ? 'done' : 'busy';
    },
    end(id, isHandled) {
      const before = known.get(id);
      if (before === undefined) return;
      if (isHandled) known.set(id, { ...before, isDone: true });
      else known.delete(id);
    },
  };
}
