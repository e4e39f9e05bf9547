/** RFC 3339 in UTC with milliseconds: workspaces, sources, destinations and regulations. */
export function milliseconds(now: number): string {
  return new Date(now).toISOString();
}

/** RFC 3339 in UTC with whole seconds: tracking plans and access tokens. */
export function seconds(now: number): string {
  return milliseconds(now).replace(/\.\d+Z$/, 'Z');
}
