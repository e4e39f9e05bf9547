import { classOf, type Outcome } from '../../server/model/outcome.ts';

/** Outcomes in the groups that a picture tells apart. */
export const KINDS = ['delivered', 'refused', 'limited', 'server-error', 'timeout', 'unreachable', 'tls'] as const;
export type Kind = (typeof KINDS)[number];

/** Words for people, a color on white and one on black, and a letter for terminals without colors. */
export const KIND_LOOKS = {
  delivered: { words: 'delivered', light: '#1f9d63', dark: '#4cd596', sign: '█' },
  refused: { words: 'refused for good', light: '#8f1d3f', dark: '#ff6f91', sign: '✗' },
  limited: { words: 'asked to wait (429)', light: '#7b4fd0', dark: '#b79bff', sign: '◆' },
  'server-error': { words: 'server error', light: '#e07b1a', dark: '#ffb05c', sign: '▲' },
  timeout: { words: 'no answer in time', light: '#d9a400', dark: '#ffd84d', sign: '◔' },
  unreachable: { words: 'not reachable, reset', light: '#d1442f', dark: '#ff8069', sign: '✕' },
  tls: { words: 'certificate fault', light: '#2b6cb0', dark: '#7cb8ff', sign: '▣' },
} as const satisfies Record<Kind, { words: string; light: string; dark: string; sign: string }>;

export function kindOf(outcome: Outcome): Kind {
  if (classOf(outcome) === 'success') return 'delivered';
  if (outcome === 'http_429') return 'limited';
  if (outcome.startsWith('tls_')) return 'tls';
  if (outcome.endsWith('_timeout') || outcome === 'http_408') return 'timeout';
  if (classOf(outcome) === 'permanent') return 'refused';
  return outcome === 'http_5xx' || outcome === 'http_425' ? 'server-error' : 'unreachable';
}
