import { type DependencyList, type RefObject, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { Drawing } from '../../../views/drawing/drawing.ts'
import { useLanguage } from '../page/language.ts'
import { themeStore } from '../page/theme.ts'
import { onSize } from '../page/useSize.ts'

/**
 * Mounts a drawing and returns the ref for its host. It follows the size of the host, and is mounted again in another language.
 * `draw` works like an effect. It gets the drawing after every render, or when one of `deps` has changed, and may return a cleanup:
 *
 *     useDrawing(mountPlot, (plot) => plot.update(data))                                      at every render
 *     useDrawing(mountPlot, (plot) => onScene((scene) => plot.update(dataOf(scene))), [run])  at every frame
 *
 * While `mount` is null, nothing is drawn. A change of theme renders the component again; what draws at every frame is repainted by the page.
 */
export function useDrawing<Mounted extends Drawing<never>>(
  mount: ((host: HTMLElement) => Mounted) | null,
  // biome-ignore lint/suspicious/noConfusingVoidType: as in an effect, there may be no cleanup
  draw: (drawing: Mounted, host: HTMLElement) => void | (() => void),
  deps?: DependencyList,
): RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null)
  const drawing = useRef<Mounted | null>(null)
  useStore(themeStore, (state) => state.palette)
  const language = useLanguage()
  const mounts = mount !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: a drawing holds texts of its language; callbacks given to `mount` must read the latest values
  useEffect(() => {
    if (host.current === null || mount === null) return
    const mounted = mount(host.current)
    drawing.current = mounted
    const endSize = onSize([host.current], () => mounted.resize())
    return () => {
      endSize()
      mounted.destroy()
      drawing.current = null
    }
  }, [language, mounts])
  useEffect(
    () => (drawing.current === null || host.current === null ? undefined : draw(drawing.current, host.current)),
    // biome-ignore lint/correctness/useExhaustiveDependencies: the caller lists what `draw` depends on
    deps && [...deps, language, mounts],
  )
  return host
}
