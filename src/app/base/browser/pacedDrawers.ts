import { watchOnScreen } from './onScreen.ts'

/** How often something is drawn. Without a pace it is drawn in every frame in which something has changed. */
export interface Pace {
  /** The time between two draws, in milliseconds. Drawings of one pace are drawn in the same frame, so that the page is laid out once. */
  readonly every?: number
  /** The same while drawing makes room for work. */
  readonly crowded?: number
  /** Draws only while this element is on the screen. */
  readonly seen?: Element
}

/** Still: every change is drawn at once. Moving: each drawing has its pace. Crowded: work keeps all cores busy, and drawing makes room for it. */
export type Motion = 'still' | 'moving' | 'crowded'

/** How often what moves is drawn while drawing makes room: 15 times a second, which the eye still sees as a movement. */
export const CROWDED_MS = 1000 / 15

/** How often texts, counts and seats are renewed while something moves: nobody reads faster, and each time costs a layout of the page. */
export const WORDS: Pace = { every: 100, crowded: 200 }

interface PacedDrawers<Scene> {
  /** Draws once, and then as often as the pace allows. Returns what ends it. */
  add(draw: (scene: Scene) => void, pace: Pace): () => void
  /** Something has changed since all were drawn. */
  renew(): void
  /** Draws what is due at this time, a frame's. */
  draw(scene: Scene, now: number, motion: Motion): void
}

interface Drawer<Scene> {
  readonly draw: (scene: Scene) => void
  readonly rest: Readonly<Record<Exclude<Motion, 'still'>, number>>
  seen: boolean
  due: boolean
  drawnAt: number
}

/** Returns the drawings of a page, each with its own pace. */
export function createPacedDrawers<Scene>(): PacedDrawers<Scene> {
  const drawers = new Set<Drawer<Scene>>()
  return {
    add(draw, { every = 0, crowded = Math.max(every, CROWDED_MS), seen }) {
      const drawer: Drawer<Scene> = { draw, rest: { moving: every, crowded }, seen: true, due: true, drawnAt: -Infinity }
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
    draw(scene, now, motion) {
      for (const drawer of drawers) {
        if (!drawer.due) continue
        if (motion !== 'still' && (!drawer.seen || !beats(drawer.drawnAt, now, drawer.rest[motion]))) continue
        drawer.due = false
        drawer.drawnAt = now
        drawer.draw(scene)
      }
    },
  }
}

/** Returns whether a clock that beats every so often has done so between two times. */
function beats(from: number, to: number, every: number): boolean {
  return every === 0 || Math.floor(from / every) < Math.floor(to / every)
}
