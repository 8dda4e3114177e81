import { runOrStop } from '../../../app/session/answer/keepAnswer.ts'
import { goTo, stepDecision, togglePlaying } from '../../../app/session/page/playhead.ts'
import { playback, speeds } from '../../../app/session/run/playback.ts'
import { chooseSpeed, runStore } from '../../../app/session/run/runStore.ts'
import type { Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import { endOf } from '../../../trace/trace.ts'

/** The things shown beside the pipeline. `room` is the code of the room, if the page is the host of one. */
export const shownFirst = { timeline: true, decision: false, spot: true, blank: false, room: true, help: false }
type Shown = typeof shownFirst

/** Returns the keys of a presentation and what they do, including those that clickers send. */
export const presenterKeys = (): readonly (readonly [keys: string, effect: string])[] => [
  [t('Space'), t('play or pause')],
  ['← → , .', t('previous, next decision')],
  ['< >', t('previous, next move')],
  ['[ ]', t('step back, forward')],
  ['0–9', t('to that tenth of the run')],
  ['Home End', t('beginning, end of the timeline')],
  ['↑ ↓', t('faster, slower')],
  ['R', t('run or stop')],
  ['T', t('Timeline')],
  ['W S', t('zoom in, out')],
  ['A D', t('move earlier, later')],
  ['F', t('fit the whole run')],
  ['N', t('next pause')],
  ['E', t('Decision')],
  ['L', t('spotlight around the pointer')],
  ['B', t('blank screen, and back')],
  ['J', t('the code to join the room')],
  ['?', t('this list')],
  ['Escape', t('Leave')],
]

/** Handles a key that controls the run. Returns a note for an effect that cannot be seen; null if the key has no effect. */
export function keyToRun(session: Session, key: string): string | null {
  const act = {
    ' ': () => togglePlaying(session),
    ArrowRight: () => stepDecision(session, 1),
    PageDown: () => stepDecision(session, 1),
    ArrowLeft: () => stepDecision(session, -1),
    PageUp: () => stepDecision(session, -1),
    Home: () => goTo(session, 0),
    End: () => goTo(session, Infinity),
    ArrowUp: () => changeSpeed(session, 1),
    ArrowDown: () => changeSpeed(session, -1),
    r: () => runOrStop(session),
  }[key]
  if (/^\d$/.test(key)) toTenth(session, Number(key))
  else if (act === undefined) return null
  else act()
  return key === 'ArrowUp' || key === 'ArrowDown'
    ? `${t('Speed')}: ${Number(playback(session).speed.toPrecision(3))}×`
    : ''
}

/** Returns whether the page takes a key: the tools of playback and timeline have the same ones as without an audience. */
export const isKeyOfPage = (key: string): boolean => key.length === 1 && '.,<>[]nwasdfz'.includes(key)

/** Returns the state of the view after a key; null if the key has no effect. */
export function keyToShown(key: string, shown: Shown): Shown | null {
  const name = ({ t: 'timeline', e: 'decision', l: 'spot', b: 'blank', j: 'room', '?': 'help' } as const)[key]
  return name === undefined ? null : { ...shown, [name]: !shown[name] }
}

function toTenth(session: Session, tenth: number): void {
  const { run } = runStore(session).getState()
  if (run !== null) goTo(session, (endOf(run.trace) * tenth) / 10)
}

function changeSpeed(session: Session, by: 1 | -1): void {
  const at = speeds.findIndex((speed) => speed >= playback(session).speed)
  const next = speeds[Math.min(speeds.length - 1, Math.max(0, (at < 0 ? speeds.length : at) + by))]
  chooseSpeed(session, next)
}

/** A swipe is at least this long, in pixels, and takes at most this long. */
const MIN_SWIPE = 48
const MAX_SWIPE_MS = 700

/**
 * Calls `step` when one finger has swiped: 1 to the left, as one turns to the next page, and -1 to the right. A second finger makes it a
 * pinch, and a finger that moves up or down scrolls. No event is cancelled. `takes` returns whether an element uses the drag itself.
 */
export function listenToSwipes(
  host: EventTarget,
  takes: (target: EventTarget | null) => boolean,
  step: (by: 1 | -1) => void,
  signal: AbortSignal,
): void {
  let start: { readonly x: number; readonly y: number; readonly time: number } | null = null
  const on = (type: string, act: (event: TouchEvent) => void) =>
    host.addEventListener(type, (event) => act(event as TouchEvent), { signal, passive: true })
  on('touchstart', ({ touches, target, timeStamp }) => {
    const [first] = touches
    start = touches.length === 1 && !takes(target) ? { x: first.clientX, y: first.clientY, time: timeStamp } : null
  })
  on('touchcancel', () => {
    start = null
  })
  on('touchend', ({ changedTouches, timeStamp }) => {
    const began = start
    start = null
    if (began === null || timeStamp - began.time > MAX_SWIPE_MS) return
    const [x, y] = [changedTouches[0].clientX - began.x, changedTouches[0].clientY - began.y]
    if (Math.abs(x) >= MIN_SWIPE && Math.abs(x) > 2 * Math.abs(y)) step(x < 0 ? 1 : -1)
  })
}

/** Returns whether an element uses a sideways drag: the timeline, a slider, or anything that scrolls sideways. */
export function dragsSideways(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest('.timeline, input, [role=slider], [role=separator]') !== null) return true
  for (let each: Element | null = target; each !== null; each = each.parentElement)
    if (each.scrollWidth > each.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(each).overflowX)) return true
  return false
}
