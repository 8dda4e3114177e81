import { dispatcher, feeders, together } from './spreadGroups.ts'
import { hands } from './spreadHands.ts'
import { MARK_GAP, type Made, type SpreadPicture, type SpreadScene } from './spreadMarks.ts'
import { stream } from './spreadStream.ts'

/**
 * Dispatcher, feeders, spreader, stream and hands, one below the other, in a width. Heights depend on the scenario and the
 * width alone, so that nothing moves while time does.
 */
export function spreadPicture(scene: SpreadScene, width: number): SpreadPicture {
  const made: Made = { tiles: [], discs: [], words: [], lines: '', pointer: null }
  let y = dispatcher(scene, width, made)
  y = scene.spreading.feeders > 0 ? feeders(scene, width, y + MARK_GAP, made) : together(scene, width, y + MARK_GAP, made)
  y = stream(scene, width, y + MARK_GAP, made)
  y = hands(scene, width, y + MARK_GAP, made)
  return { ...made, height: y }
}
