const paths = {
  overview: 'M3 13h7V3H3zm0 8h7v-6H3zm11 0h7V11h-7zm0-18v6h7V3z',
  nodes: 'M4 4h16v6H4zm0 10h16v6H4zM7 7h.01M7 17h.01M11 7h6M11 17h6',
  jobs: 'M4 5h16M4 12h16M4 19h10',
  workflows: 'M3 9h5v6H3zM16 3h5v6h-5zm0 12h5v6h-5zM8 12h3m0 0 5-6m-5 6 5 6',
  plan: 'M5 19V9a4 4 0 0 1 4-4h10m-4-4 4 4-4 4',
  timeline: 'M3 6h8M7 12h10M12 18h9M3 3v18',
  reservations: 'M4 6h16v15H4zM4 11h16M8 3v5m8-5v5M8 15h5',
  simulate: 'M9 3h6M10 3v6L4 20h16L14 9V3',
  policy: 'M12 3v3m0 12v3M5 8h14M5 16h14M8 6v4m8 4v4',
  usage: 'M4 20V10m5 10V4m5 16v-8m5 8V7M3 20h18',
  speeds: 'M4 18a9 9 0 1 1 16 0M12 15l4-6',
  events: 'M12 7v5l3 3M21 12a9 9 0 1 1-9-9 9 9 0 0 1 9 9z',
  tokens: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm2.8 1.2L20 3m-4 4 3 3m-5-1 2 2',
  audit: 'M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h5',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-4.5 3.5-7 8-7s8 2.5 8 7',
  images: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5 12 12l8-4.5M12 12v9',
  about: 'M12 11v6m0-9h.01M21 12a9 9 0 1 1-9-9 9 9 0 0 1 9 9z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2m0 16v2M2 12h2m16 0h2M5 5l1.4 1.4m11.2 11.2L19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  system: 'M3 5h18v11H3zM8 20h8m-4-4v4',
  search: 'M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zM20 20l-4.8-4.8',
  plus: 'M12 5v14M5 12h14',
  leave: 'M14 4h5v16h-5M3 12h11m-4-4 4 4-4 4',
  download: 'M12 4v11m-5-4 5 5 5-5M4 20h16',
  warning: 'M12 4 2.5 20h19zM12 10v4m0 3h.01',
} as const;

/** IconName is a picture that Icon can draw. */
export type IconName = keyof typeof paths;

/** Icon is a picture beside a word of the same meaning. Screen readers skip it. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
