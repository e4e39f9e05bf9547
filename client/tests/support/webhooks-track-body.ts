/** The least that a track webhook carries. */
export const TRACK_BODY = {
  version: 1,
  type: 'track',
  event: 'Größe',
  userId: 'user-42',
  messageId: 'm1',
  properties: {},
  context: {},
  timestamp: '2026-11-20T12:00:00.000Z',
  receivedAt: '2026-11-20T12:00:00.000Z',
} as const;
