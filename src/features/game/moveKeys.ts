import { isField } from '../../app/base/browser/keyTargets.ts'
import type { Session } from '../../app/session/session.ts'
import { stageNumbers } from '../../scenario/model/linearStages.ts'
import { acceptMoves, gameStore, sendWorker, takeBackWorker, WAIT } from './game.ts'

/** So many stages have a key, 1 to 9, in the order of the pipeline. */
export const KEYED = 9

/** Keys of a turn: 1 to 9 send a worker, 0 lets one wait, Backspace takes the last back, Enter accepts. Returns what ends it. */
export function listenToMoves(session: Session): () => void {
  const heard = (event: KeyboardEvent) => {
    const { playing } = gameStore(session).getState()
    const choice = playing?.game.choice
    if (playing == null || choice == null || event.ctrlKey || event.metaKey || event.altKey || isField(event.target) || isElsewhere(event.target)) return
    const stage = /^[1-9]$/.test(event.key) ? stageNumbers(playing.base)[Number(event.key) - 1] : undefined
    if (stage !== undefined) sendWorker(session, stage)
    else if (event.key === '0') sendWorker(session, WAIT)
    else if (event.key === 'Backspace') takeBackWorker(session)
    else if (event.key === 'Enter' && playing.going.length === choice.free && isOfGame(event.target)) void acceptMoves(session)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('keydown', heard, true)
  return () => removeEventListener('keydown', heard, true)
}

/** Returns whether a dialog or a menu takes the key. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('dialog, [role=menu]') !== null
}

/** Returns whether Enter is for the game: it presses what has the focus, except a stage that was chosen by number. */
function isOfGame(target: EventTarget | null): boolean {
  return !(target instanceof HTMLElement) || target === document.body || target.closest('button, a, summary') === null || target.closest('.beat-stage') !== null
}
