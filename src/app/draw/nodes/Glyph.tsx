import type { SourceKind } from '../../../scenario/model/sources.ts'
import { sourceGlyph } from '../shapes/sourceShapes.ts'

const SINK = 'M5 10h10M11 6l4 4-4 4'

/** The picture of an end, in a box of 20. */
export function Glyph({ kind }: { readonly kind: SourceKind | 'sink' }) {
  return (
    <svg className="glyph" viewBox="0 0 20 20" aria-hidden="true" data-kind={kind}>
      <path d={kind === 'sink' ? SINK : sourceGlyph(kind)} />
    </svg>
  )
}
