import { markBackground } from '../../../views/drawing/palette.ts'
import { currentPalette } from '../page/theme.ts'

/** A dot in the colour of a stage, beside its name. */
export function Swatch({ stage }: { readonly stage: number }) {
  return <i className="swatch" style={{ background: markBackground(currentPalette(), stage) }} />
}
