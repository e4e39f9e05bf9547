/** Builds the console where its sources have changed since the last build. */
export function buildConsole(): void;
