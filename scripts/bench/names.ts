/** The full name of a source of a bench. */
export function sourceName(source: number): string {
  return `workspaces/main/sources/s${source}`;
}

/** The full name of its destination. */
export function destinationName(source: number): string {
  return `${sourceName(source)}/destinations/webhooks`;
}
