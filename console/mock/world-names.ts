/** What can be looked at without a router. */
export const WORLDS = ['healthy', 'failing', 'open-circuit', 'backlog', 'empty'] as const;

export type WorldName = (typeof WORLDS)[number];
