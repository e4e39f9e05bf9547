import { holdPorts } from './held-ports.ts';

/** Vitest's global set-up; what it gives runs after the last test. */
export async function setup(): Promise<() => Promise<void>> {
  const { release } = await holdPorts();
  return release;
}
