import type { ReactNode } from 'react';

/** Drawn on a grid of 20, in the color of the text. */
const PATHS = {
  waybill: <path d="M4.5 6l2.7 8L10 7.5 12.8 14l2.7-8" />,
  sources: <path d="M3 10h9m0 0L8.5 6.5M12 10l-3.5 3.5M13 4h2.5A1.5 1.5 0 0 1 17 5.5v9a1.5 1.5 0 0 1-1.5 1.5H13" />,
  destinations: <path d="M8 10h9m0 0l-3.5-3.5M17 10l-3.5 3.5M7 4H4.5A1.5 1.5 0 0 0 3 5.5v9A1.5 1.5 0 0 0 4.5 16H7" />,
  deliveries: <path d="M4 5h12M4 10h12M4 15h7M14 14.5l1.5 1.5 2.5-3" />,
  overview: <path d="M3.5 16.5v-5m4.33 5v-9m4.33 9v-6m4.34 6v-13" />,
  plans: (
    <path d="M6 3.5h8A1.5 1.5 0 0 1 15.5 5v12l-2.75-1.5L10 17l-2.75-1.5L4.5 17V5A1.5 1.5 0 0 1 6 3.5zM7.5 7.5h5m-5 3.5h5" />
  ),
  privacy: <path d="M10 2.8l6 2.2v4.5c0 3.7-2.5 6.5-6 7.7-3.5-1.2-6-4-6-7.7V5l6-2.2z" />,
  access: (
    <path d="M12.5 7.5h.01M17 7.5a4.5 4.5 0 0 1-5.6 4.36L9.5 13.75H7.75V15.5H6v1.5H3v-2.75l5.14-5.14A4.5 4.5 0 1 1 17 7.5z" />
  ),
  system: (
    <path d="M4.5 3.5h11A1 1 0 0 1 16.5 4.5v4a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-4a1 1 0 0 1 1-1zm0 7.5h11a1 1 0 0 1 1 1v3.5a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1V12a1 1 0 0 1 1-1zM6.5 6.5h.01m-.01 7.25h.01" />
  ),
  audiences: (
    <path d="M13.5 16.5v-1.2a3 3 0 0 0-3-3h-4a3 3 0 0 0-3 3v1.2m8-10a3 3 0 1 1-6 0 3 3 0 0 1 6 0zm2-2.8a3 3 0 0 1 0 5.6m1.2 3.2a3 3 0 0 1 2.3 2.9v.9" />
  ),
  traits: <path d="M13.5 4.5h-8l5 5.5-5 5.5h8.5" />,
  plus: <path d="M10 4.5v11M4.5 10h11" />,
  copy: (
    <path d="M7.5 7.5v-3a1 1 0 0 1 1-1h7a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-3m-8-5h7a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1z" />
  ),
  check: <path d="M4.5 10.5l3.8 3.8L15.5 6.5" />,
  alert: <path d="M10 6.5v4m0 3h.01M10 2.8l7.7 13.7H2.3L10 2.8z" />,
  info: <path d="M10 9.5v4m0-7h.01M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0z" />,
  clock: <path d="M10 6v4l2.5 2M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0z" />,
  replay: <path d="M4 4.5v4h4M4.4 8.5A6 6 0 1 1 4 11.5" />,
  sun: (
    <path d="M10 2.5v1.5m0 12v1.5M2.5 10H4m12 0h1.5M4.7 4.7l1.06 1.06m8.48 8.48l1.06 1.06m0-10.6l-1.06 1.06M5.76 14.24L4.7 15.3M13 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0z" />
  ),
  moon: <path d="M16.5 11.5A7 7 0 0 1 8.5 3.5a7 7 0 1 0 8 8z" />,
  exit: <path d="M8 3.5H5A1.5 1.5 0 0 0 3.5 5v10A1.5 1.5 0 0 0 5 16.5h3m5-3l3.5-3.5L13 6.5M16 10H8" />,
  menu: <path d="M3.5 6h13m-13 4h13m-13 4h13" />,
  close: <path d="M5 5l10 10M15 5L5 15" />,
  trash: <path d="M4 6h12m-7.5-2.5h3M6 6l.7 9.6a1 1 0 0 0 1 .9h4.6a1 1 0 0 0 1-.9L14 6M8.5 9v4.5m3-4.5v4.5" />,
  send: <path d="M17 3L9 11M17 3l-5 14-3-6-6-3 14-5z" />,
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof PATHS;

/** Beside a text that says the same; hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {PATHS[name]}
    </svg>
  );
}
