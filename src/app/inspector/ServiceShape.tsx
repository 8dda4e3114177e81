import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { Service } from '../../scenario/scenario.ts'
import { mountDistributionShape } from '../../views/distributionShape.ts'
import { stageColour } from '../../views/palette.ts'
import { densityOf } from '../../workload/density.ts'
import { currentPalette, themeStore } from '../theme.ts'

/** The shape of a service time, in its stage's colour. */
export function ServiceShape({ service, index }: { readonly service: Service; readonly index: number }) {
  const host = useRef<HTMLDivElement>(null)
  const palette = useStore(themeStore, (state) => state.palette)
  const drawing = useRef<ReturnType<typeof mountDistributionShape> | null>(null)
  useEffect(() => {
    if (host.current === null) return
    const mounted = mountDistributionShape(host.current)
    drawing.current = mounted
    const observer = new ResizeObserver(() => mounted.resize())
    observer.observe(host.current)
    return () => {
      observer.disconnect()
      mounted.destroy()
      drawing.current = null
    }
  }, [])
  useEffect(() => {
    const colours = palette ?? currentPalette()
    drawing.current?.update({ palette: colours, colour: stageColour(colours, index), shape: densityOf(service) })
  }, [service, index, palette])
  return <div className="form-shape" ref={host} />
}
