import { type RefObject, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { Drawing } from '../../../views/drawing/drawing.ts'
import { useLanguage } from '../page/language.ts'
import { themeStore } from '../page/theme.ts'

/**
 * A drawing in an element: mounted once for each language, drawn anew with every render, in another theme and at another size. The element is
 * to be given what is returned as its `ref`; `data`, at each render, what is to be seen.
 */
export function useDrawing<Data>(mount: (host: HTMLElement) => Drawing<Data>, data: Data): RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing<Data> | null>(null)
  // The palette is another object when the theme changes.
  useStore(themeStore, (state) => state.palette)
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: how it is mounted does not change but for the words that it mounts
  useEffect(() => {
    if (host.current === null) return
    const mounted = mount(host.current)
    drawing.current = mounted
    const sized = new ResizeObserver(() => mounted.resize())
    sized.observe(host.current)
    return () => {
      sized.disconnect()
      mounted.destroy()
      drawing.current = null
    }
  }, [language])
  useEffect(() => drawing.current?.update(data))
  return host
}
