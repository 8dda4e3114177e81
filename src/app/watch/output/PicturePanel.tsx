import { useRef, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { Frame } from '../../../measures/frame/frame.ts'
import { createJobPlaces, extendJobPlaces, type JobPlaces, moveJobsTo } from '../../../measures/jobs/jobPlaces.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import { linearOrder } from '../../../scenario/model/linearStages.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs, type Picture } from '../../../scenario/model/sources.ts'
import { count, duration } from '../../../views/drawing/format.ts'
import { setText } from '../../../views/drawing/svg.ts'
import { mountTileMap, workRange } from '../../../views/tiles/tileMap.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { useDrawing } from '../../base/ui/useDrawing.ts'
import { onScene, repaint } from '../../session/page/painter.ts'
import { paintedBy } from '../../session/run/pictures.ts'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import './picture.css'

const ROWS_A_FRAME = 100_000

/** The picture of the run, or of the scenario before it: tile by tile, at the playhead. Nothing if the source is not a picture. */
export function PicturePanel() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const run = useStore(runStore(session), (state) => state.run)
  const shown = run !== null && run.scenario.source.kind === 'image' ? run : null
  const { source } = (shown ?? { scenario }).scenario
  return source.kind === 'image' ? <PictureOf run={shown} picture={source} scenario={scenario} /> : null
}

function PictureOf({
  run,
  picture,
  scenario,
}: {
  readonly run: Run | null
  readonly picture: Picture
  readonly scenario: Scenario
}) {
  const session = useSession()
  const words = useRef<HTMLSpanElement>(null)
  const [work, setWork] = useState(false)
  const shaded = work || (run !== null && !isRealTime(run.trace.engine))
  const host = useDrawing(
    mountTileMap,
    (map) => {
      const first = firstOf((run ?? { scenario }).scenario)
      const tiles = countJobs(picture)
      const log = run === null ? null : createJobPlaces(run.trace, tiles)
      return onScene(session, (scene) => {
        const seen = scene !== null && scene.run === run ? scene : null
        if (log !== null && seen !== null) placesAt(session, log, seen.frame.time)
        const { places = null, worked = null } = log ?? {}
        map.update({
          palette: currentPalette(),
          picture,
          first,
          places,
          worked,
          pixels: run === null || shaded ? null : paintedBy(run),
        })
        if (words.current !== null)
          setText(words.current, caption(tiles, seen?.frame ?? null, shaded ? workRange(places, worked) : null))
      })
    },
    [run, picture, scenario, shaded, session],
  )
  return (
    <section className="picture" aria-label={t('Picture')}>
      <header>
        <h2>{t('Picture')}</h2>
        {run !== null && isRealTime(run.trace.engine) && (
          <label className="check" title={t('Shade tiles by work time')}>
            <input type="checkbox" checked={work} onChange={(event) => setWork(event.target.checked)} />
            <span>{t('Work')}</span>
          </label>
        )}
        <span className="soft" ref={words} />
      </header>
      <div className="picture-canvas" ref={host} />
    </section>
  )
}

function placesAt(session: Session, log: JobPlaces, t: number): void {
  if (!extendJobPlaces(log, ROWS_A_FRAME)) repaint(session)
  moveJobsTo(log, t)
}

function firstOf(scenario: Scenario): number {
  const [first] = linearOrder(scenario)
  return scenario.stages.findIndex(({ id }) => id === first)
}

function caption(tiles: number, frame: Frame | null, range: readonly [Micros, Micros] | null): string {
  if (frame === null) return t('{tiles, plural, one {# tile} other {# tiles}}', { tiles })
  const { stages, released, parked, failed } = frame
  if (range !== null) {
    const [shortest, longest] = range.map((each) => duration(each))
    return t('{released} of {tiles} out · {range} to {range2} each', {
      released: count(released),
      tiles: count(tiles),
      range: shortest,
      range2: longest,
    })
  }
  const hands = stages.reduce((sum, { inHands }) => sum + inHands, 0)
  return [
    t('{released} of {tiles} tiles out', { released: count(released), tiles: count(tiles) }),
    ...(hands > 0 ? [t('{hands} in service', { hands: count(hands) })] : []),
    ...(parked > 0 ? [t('{parked} parked', { parked: count(parked) })] : []),
    ...(failed > 0 ? [t('{failed} failed', { failed: count(failed) })] : []),
  ].join(' · ')
}
