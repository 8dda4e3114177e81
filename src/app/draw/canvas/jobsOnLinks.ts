import { type Passage, passagesBetween } from '../../../measures/frame/passages.ts'
import { NONE } from '../../../pipeline/rows.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import type { FlowLink } from '../../../views/pipeline/flow.ts'
import { currentPalette } from '../../base/page/theme.ts'
import type { Scene } from '../../session/page/painter.ts'
import { shownLength } from '../../session/run/playback.ts'
import type { Session } from '../../session/session.ts'
import { linkKey, livePipeline, type NodePlace } from '../editing/canvasStore.ts'
import { linkEnds } from '../layout/linkCurve.ts'

const ON_LINK_MS = 380
/** At most this many jobs are shown on one link. If there are more, every second, fourth, ... is shown. */
const ON_LINK = 5

/** Returns the jobs of a run on those of its links that are still drawn. At the end of the run there are none. */
export function jobsOnLinks(session: Session, { run, frame, live }: Scene, draft: Scenario, places: ReadonlyMap<string, NodePlace | null>): FlowLink[] {
  if (!live && frame.time >= endOf(run.trace)) return []
  const palette = currentPalette()
  const played = stageNumbersIn(run.scenario)
  const drawn = stageNumbersIn(draft)
  const drawnLinks = new Set(draft.links.map(linkKey))
  const window = shownLength(session, ON_LINK_MS)
  const byLink = new Map<string, Passage[]>()
  for (const passage of passagesBetween(run.trace, frame.time - window, frame.time)) {
    if (passage.kind === 'released') continue
    const link = `${passage.stage} ${passage.to}`
    const passages = byLink.get(link) ?? []
    byLink.set(link, passages)
    passages.push(passage)
  }
  return run.scenario.links.flatMap((link) => {
    const [id, next] = link
    const passages = byLink.get(`${played.get(id) ?? NONE} ${played.get(next) ?? NONE}`)
    const [from, to] = [places.get(id), places.get(next)]
    if (passages === undefined || !from || !to || !drawnLinks.has(linkKey(link))) return []
    const stage = drawn.get(id)
    return [
      {
        ...linkEnds(from, to),
        bends: livePipeline(session).bends?.(id, next) ?? [],
        colour: stage === undefined ? palette.ink : stageColour(palette, stage).fill,
        jobs: thinned(passages).map(({ time }) => (frame.time - time) / window),
      },
    ]
  })
}

/** Returns the jobs whose number is a multiple of a power of two: the same ones in every frame. */
function thinned(passages: readonly Passage[]): readonly Passage[] {
  let every = 1
  while (passages.length / every > ON_LINK) every *= 2
  return every === 1 ? passages : passages.filter(({ job }) => job % every === 0)
}

/** Returns the number of each stage in a scenario, by its id. An edit changes numbers, but not ids. */
export function stageNumbersIn({ stages }: Scenario): ReadonlyMap<string, number> {
  return new Map(stages.map(({ id }, s) => [id, s]))
}
