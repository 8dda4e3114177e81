import { useMemo } from 'react'
import type { Service } from '../../scenario/scenario.ts'
import { mountDistributionShape } from '../../views/distributionShape.ts'
import { stageColour } from '../../views/palette.ts'
import { densityOf } from '../../workload/density.ts'
import { currentPalette } from '../theme.ts'
import { useDrawing } from '../useDrawing.ts'

/** The shape of a service time, in its stage's colour. */
export function ServiceShape({ service, index }: { readonly service: Service; readonly index: number }) {
  const palette = currentPalette()
  const shape = useMemo(() => densityOf(service), [service])
  const host = useDrawing(mountDistributionShape, { palette, colour: stageColour(palette, index), shape })
  return <div className="form-shape" ref={host} />
}
