import { addHeldGroups } from './heldGroups.ts'
import { addDispatcher, addFeeders, addMixedGroups } from './spreadGroups.ts'
import { PART_GAP, type SpreadDraft, type SpreadPicture, type SpreadScene } from './spreadMarks.ts'
import { addStream } from './spreadStream.ts'

/** Returns the picture in a width, part below part. Heights depend only on the scenario and the width, so that nothing moves over time. */
export function spreadPicture(scene: SpreadScene, width: number): SpreadPicture {
  const made: SpreadDraft = { tiles: [], discs: [], texts: [], lines: '', pointer: null }
  let y = addDispatcher(scene, width, made)
  y = scene.spreading.feeders > 0 ? addFeeders(scene, width, y + PART_GAP, made) : addMixedGroups(scene, width, y + PART_GAP, made)
  y = addStream(scene, width, y + PART_GAP, made)
  y = addHeldGroups(scene, width, y + PART_GAP, made)
  return { ...made, height: y }
}
