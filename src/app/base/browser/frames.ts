import { type RefObject, useEffect, useState } from 'react'

/** Called in each frame with the milliseconds since the last one, and the time of this one. Returns how many may pass before it is called again. */
type Painter = (elapsedMs: number, now: number) => number

const painters = new Set<Painter>()
let cancelNext: (() => void) | null = null
let last = 0

/** The time of a frame may be this much older than the moment of its request. */
const FRAME_MS = 1000 / 60

/**
 * Calls `painter` in each frame, in the order of registration. Returns an unsubscribe function. This is the one animation loop of the page. It rests
 * as long as all painters allow, and stops when no painter is registered: a frame costs time even if nothing is drawn in it.
 */
export function onFrame(painter: Painter): () => void {
  if (painters.size === 0) last = performance.now()
  painters.add(painter)
  drawSoon()
  return () => {
    painters.delete(painter)
  }
}

/** Requests the next frame at once, even if the loop is resting: a person is waiting for it. */
export function drawSoon(): void {
  if (painters.size === 0) return
  cancelNext?.()
  const handle = requestAnimationFrame(frame)
  cancelNext = () => cancelAnimationFrame(handle)
}

function frame(now: number): void {
  cancelNext = null
  // A hidden page gets no frames. That time is not played back in one step.
  const elapsed = Math.min(100, Math.max(0, now - last))
  last = now
  const rest = Math.min(...[...painters].map((painter) => painter(elapsed, now)))
  if (cancelNext !== null || painters.size === 0) return
  if (rest < FRAME_MS / 2) drawSoon()
  else {
    const timer = setTimeout(drawSoon, now + rest + FRAME_MS - performance.now())
    cancelNext = () => clearTimeout(timer)
  }
}

const listeners = new WeakMap<Element, Set<(on: boolean) => void>>()
let observer: IntersectionObserver | null = null

/** Calls `changed` whenever an element enters or leaves the screen. Returns an unsubscribe function. */
export function watchOnScreen(element: Element, changed: (on: boolean) => void): () => void {
  observer ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      for (const changed of listeners.get(target) ?? []) changed(isIntersecting)
  })
  const ofElement = listeners.get(element) ?? new Set()
  listeners.set(element, ofElement.add(changed))
  observer.observe(element)
  return () => {
    ofElement.delete(changed)
    if (ofElement.size === 0) {
      listeners.delete(element)
      observer?.unobserve(element)
    }
  }
}

/** Returns whether an element is on the screen; true until it is known. */
export function useOnScreen(host: RefObject<Element | null>): boolean {
  const [on, set] = useState(true)
  useEffect(() => (host.current === null ? undefined : watchOnScreen(host.current, set)), [host])
  return on
}

/** How often something is drawn. Without a pace it is drawn in every frame in which something has changed. */
export interface Pace {
  /** The time between two draws, in milliseconds. Drawings of one pace are drawn in the same frame, so that the page is laid out once. */
  readonly every?: number
  /** The same while work keeps all cores busy. */
  readonly crowded?: number
  /** Draws only while this element is on the screen. */
  readonly seen?: Element
}

/** Still: every change is drawn at once. Moving: each drawing has its pace. Crowded: work keeps all cores busy, so drawing is slower. */
export type Motion = 'still' | 'moving' | 'crowded'

/** The time between two draws while crowded: 15 draws a second still look like motion. */
export const CROWDED_MS = 1000 / 15

/** How often texts, counts and seats are drawn during motion: people cannot read faster, and each draw costs a layout of the page. */
export const TEXT_PACE: Pace = { every: 100, crowded: 200 }

interface Drawer<Scene> {
  readonly draw: (scene: Scene) => void
  readonly rest: Readonly<Record<Exclude<Motion, 'still'>, number>>
  seen: boolean
  due: boolean
  drawnAt: number
}

/** Returns the drawings of a page, each with its own pace. */
export function createPacedDrawers<Scene>() {
  const drawers = new Set<Drawer<Scene>>()
  return {
    /** Draws once, and then as often as the pace allows. Returns an unsubscribe function. */
    add(draw: (scene: Scene) => void, { every = 0, crowded = Math.max(every, CROWDED_MS), seen }: Pace): () => void {
      const drawer: Drawer<Scene> = {
        draw,
        rest: { moving: every, crowded },
        seen: true,
        due: true,
        drawnAt: -Infinity,
      }
      const unwatch = seen === undefined ? undefined : watchOnScreen(seen, (on) => (drawer.seen = on))
      drawers.add(drawer)
      return () => {
        unwatch?.()
        drawers.delete(drawer)
      }
    },
    renew() {
      for (const drawer of drawers) drawer.due = true
    },
    /** Calls the drawings that are due at this time of a frame. */
    draw(scene: Scene, now: number, motion: Motion) {
      for (const drawer of drawers) {
        if (!drawer.due) continue
        if (motion !== 'still' && (!drawer.seen || !isDueBetween(drawer.drawnAt, now, drawer.rest[motion]))) continue
        drawer.due = false
        drawer.drawnAt = now
        drawer.draw(scene)
      }
    },
  }
}

/** Returns whether a multiple of `every` lies between two times. */
const isDueBetween = (from: number, to: number, every: number) =>
  every === 0 || Math.floor(from / every) < Math.floor(to / every)

export function endAll(ends: readonly (() => void)[]): () => void {
  return () => {
    for (const end of ends) end()
  }
}
