const paths = {
  pulse: 'M1 8h3l2-5 3 10 2-5h4',
  agent: 'M3 5.500h10v7.500H3zM8 5.500v-3M6.800 2.500h2.400M6 8.500v1.500M10 8.500v1.500M1.200 8v3M14.800 8v3',
  hand: 'M4 8V4.5a1 1 0 0 1 2 0V8m0-4.500a1 1 0 0 1 2 0V8m0-3.500a1 1 0 0 1 2 0V8m0-2a1 1 0 0 1 2 0v4a4 4 0 0 1-4 4H8a4 4 0 0 1-3.200-1.600L2.500 9.500a1 1 0 0 1 1.500-1L5 9.500',
  bug: 'M5.500 5a2.500 2.500 0 0 1 5 0M5 5h6v4a3 3 0 0 1-6 0zM2 4l3 2M14 4l-3 2M1.500 9H5M11 9h3.500M2 13l3-2M14 13l-3-2M8 7v5',
  diff: 'M4 2v8M4 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4M12 14V6M12 6a2 2 0 1 0 0-4 2 2 0 0 0 0 4M7 4h2M8 3v2',
  flask: 'M6 2h4M7 2v4L3 13a1 1 0 0 0 1 1.500h8A1 1 0 0 0 13 13L9 6V2M5 10h6',
  play: 'M4 3l9 5-9 5z',
  terminal: 'M2 3h12v10H2zM4.500 6l2 2-2 2M8 10h3.500',
  heart: 'M8 13.500S2 10 2 6a3 3 0 0 1 6-1 3 3 0 0 1 6 1c0 4-6 7.500-6 7.500z',
  sliders: 'M3 4h6M12 4h1M3 12h2M8 12h5M3 8h1M7 8h6M9 2.500v3M5 10.500v3M4 6.500v3',
  plug: 'M6 2v3M10 2v3M4 5h8v2a4 4 0 0 1-8 0zM8 11v3',
  search: 'M7 2a5 5 0 1 0 0 10A5 5 0 0 0 7 2M11 11l3 3',
  cross: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.500l3.500 3.500L13 4.500',
  copy: 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3',
  warning: 'M8 2l6.500 11.500h-13zM8 6.500v3M8 11.500v.3',
  lock: 'M3.500 7.500h9v6h-9zM5.500 7.500V5a2.500 2.500 0 0 1 5 0v2.500',
  eye: 'M1 8s2.500-4.500 7-4.500S15 8 15 8s-2.500 4.500-7 4.500S1 8 1 8M8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13 9.500A5.500 5.500 0 0 1 6.500 3 5.500 5.500 0 1 0 13 9.500',
  contrast: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2v12',
  down: 'M8 3v9M4 8.500L8 12.500l4-4',
  right: 'M6 3.500L10.500 8 6 12.500',
  link: 'M7 9a2.500 2.500 0 0 0 3.500 0l2.500-2.500A2.500 2.500 0 0 0 9.500 3L8.500 4M9 7a2.500 2.500 0 0 0-3.500 0L3 9.500A2.500 2.500 0 0 0 6.500 13l1-1',
  trash: 'M3 4.500h10M6 4.500v-2h4v2M4.500 4.500l.5 9h6l.5-9',
  export: 'M8 10V2M5 4.500L8 1.500l3 3M3 9v4.500h10V9',
  chart: 'M2 14h12M4 14V9M8 14V4M12 14v-7',
  refresh: 'M13 8a5 5 0 1 1-1.500-3.500M13 2v3h-3',
  stop: 'M4 4h8v8H4z',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1.500 1.500h-11zM7 14h2',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  pause: 'M5.500 3v10M10.500 3v10',
  stepOver: 'M2.500 8a5.500 5.500 0 0 1 10.500-2M13.500 2.500V6H10M8 11.500a1 1 0 1 0 0 2 1 1 0 0 0 0-2',
  stepInto: 'M8 1.500v7M5 6l3 3 3-3M8 11.500a1 1 0 1 0 0 2 1 1 0 0 0 0-2',
  stepOut: 'M8 9V2M5 4.500l3-3 3 3M8 11.500a1 1 0 1 0 0 2 1 1 0 0 0 0-2',
  toLine: 'M2 3.500h6M8 3.500v6M5.500 7L8 9.500 10.500 7M2 13h12',
  jump: 'M2 5h3M2 8h3M2 11h3M7.500 12c5 0 6-3 6-7M11 7l2.500-2.500L16 7',
  comment: 'M2 3h12v8H8l-3.500 3v-3H2z',
  undo: 'M3 6h6.500a3.500 3.500 0 0 1 0 7H6M5.500 3L2.500 6l3 3',
} as const;

export type IconName = keyof typeof paths;

/** Always beside words, or in something with a label: it says nothing by itself. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
