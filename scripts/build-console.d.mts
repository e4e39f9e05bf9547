/** Builds the console, and the page of the receiver, where their sources have changed since the last build. */
export function buildConsole(): void;
/** Folders that Vite builds. */
export const PAGE_FOLDERS: readonly string[];
