/** Pictures of arrivals in a box of 20. Time goes to the right. */
const paths: Readonly<Record<string, string>> = {
  batch: 'M5 6h10M5 10h10M5 14h10',
  poisson: 'M3 10c2-7 4.7-7 7 0s5 7 7 0',
  regular: 'M4 6.5v7M8 6.5v7M12 6.5v7M16 6.5v7',
  sine: 'M3 14c3.5 0 3.5-8 7-8s3.5 8 7 8',
  bursts: 'M3 14h3V6h3v8h4V6h3v8h1',
  steps: 'M3 14h5v-4h4V6h5',
  curve: 'M3 14C8 14 9 6 17 5.5',
  times: 'M4 6.5v7M6.5 6.5v7M12 6.5v7M16 6.5v7',
  groups: 'M4 7h.01M7 7h.01M10 7h.01M4 10h.01M7 10h.01M13 13h.01M16 13h.01M10 13h.01',
  lines: 'M5 5.5h10M5 8.5h7M5 11.5h10M5 14.5h5',
  image: 'M4.5 5h11v10h-11zM8.2 5v10M11.8 5v10M4.5 8.3h11M4.5 11.7h11',
  sink: 'M5 10h10M11 6l4 4-4 4',
}

export function Glyph({ kind }: { readonly kind: string }) {
  return (
    <svg className="glyph" viewBox="0 0 20 20" aria-hidden="true" data-kind={kind}>
      <path d={paths[kind] ?? paths.poisson} />
    </svg>
  )
}
