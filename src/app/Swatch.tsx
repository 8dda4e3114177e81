import { markBackground } from '../views/bars.ts'
import { currentPalette } from './theme.ts'

/** A dot in the colour of a stage, beside its name. */
export function Swatch({ stage }: { readonly stage: number }) {
  return <i className="swatch" style={{ background: markBackground(currentPalette(), stage) }} />
}
