import type { Agent } from 'undici';
import type { KeptConnections } from './kept-connections.ts';

/**
 * Each workspace has connections of its own, so that what they cost is taken in its turn, and none waits behind a request of another
 * (SAFE-2). What a workspace had ends with its last request and connection.
 */
export class WorkspaceAgents {
  readonly #make: (workspace: string) => Agent;
  readonly #kept: KeptConnections;
  readonly #agents = new Map<string, Agent>();

  constructor(kept: KeptConnections, make: (workspace: string) => Agent) {
    [this.#kept, this.#make] = [kept, make];
  }

  of(workspace: string): Agent {
    const known = this.#agents.get(workspace);
    if (known !== undefined) return known;
    const made = this.#make(workspace);
    this.#agents.set(workspace, made);
    return made;
  }

  /** Something of it ended. */
  tidy(workspace: string): void {
    const agent = this.#agents.get(workspace);
    if (agent === undefined || this.#kept.has(workspace)) return;
    this.#agents.delete(workspace);
    // One of its connections may be about to open, with nothing left to be sent on it.
    void agent.destroy();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }
}
