import { useState } from 'react'
import { useStore } from 'zustand'
import { Select } from '../../../app/base/controls/Select.tsx'
import { currentPalette, themeStore } from '../../../app/base/page/theme.ts'
import { useDrawing } from '../../../app/base/ui/useDrawing.ts'
import { onScene } from '../../../app/session/run/painter.ts'
import { playback } from '../../../app/session/run/playback.ts'
import { seek } from '../../../app/session/run/playhead.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { engines } from '../../../scenario/model/engines.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { endOf } from '../../../trace/trace.ts'
import { clock } from '../../../views/drawing/format.ts'
import { type Palette, stageColour } from '../../../views/drawing/palette.ts'
import { mountTimePlot } from '../../../views/plots/timePlot.ts'
import { instantsOf } from './DivergenceNote.tsx'
import { overlayBands } from './overlayBands.ts'
import type { RealityResult } from './reality.ts'

/** The jobs in the system of both runs, or the queue of one stage, on one time axis under the page's playhead. */
export function OverlayFigure({ run, found }: { readonly run: Run; readonly found: RealityResult }) {
  const session = useSession()
  const [stage, setStage] = useState(-1)
  const { stages } = run.scenario
  const where = engines[run.trace.engine].where()
  const { simulated, jobs, lag, divergence } = found
  const palette = useStore(themeStore, (state) => state.palette) ?? currentPalette()
  const ends = [endOf(run.trace), endOf(simulated.trace)] as const
  const colourIn = (each: Palette) => (stage < 0 ? each.ink : stageColour(each, stage).text)
  const host = useDrawing(
    (element) => mountTimePlot(element, { seek: (time) => seek(session, time) }),
    (plot) => {
      const flags = instantsOf(divergence)
      const [real, other] = stage < 0 ? jobs : [run.chart.queues[stage], simulated.chart.queues[stage]]
      return onScene(session, () => {
        // The theme may change under the drawing.
        const now = currentPalette()
        const colour = colourIn(now)
        plot.update({
          palette: now,
          end: Math.max(...ends),
          playhead: playback(session).time,
          flags,
          parts: [real, other, lag, colour],
          bands: () => overlayBands({ palette: now, colour, real, simulated: other, ends, departures: run.chart.departures, lag }),
        })
      })
    },
    [run, simulated, jobs, lag, divergence, stage, session],
  )
  return (
    <figure className="overlay">
      <figcaption>
        <Select
          aria-label={t('Lines')}
          value={stage}
          options={[[-1, t('Jobs in the system')], ...stageNumbers(run.scenario).map((s) => [s, t('Waiting at {name}', { name: stages[s].name })] as const)]}
          choose={setStage}
        />
        <Key colour={colourIn(palette)} dashed={false} name={where} />
        <Key colour={colourIn(palette)} dashed={true} name={t('simulated')} />
      </figcaption>
      <div ref={host} role="img" aria-label={t('Done after {ends} {where}, simulated after {ends2}', { where, ends: clock(ends[0]), ends2: clock(ends[1]) })} />
    </figure>
  )
}

function Key({ colour, dashed, name }: { readonly colour: string; readonly dashed: boolean; readonly name: string }) {
  return (
    <span className="overlay-key">
      <svg width="26" height="8" aria-hidden="true">
        <path d="M1,4H25" stroke={colour} strokeWidth="1.75" strokeDasharray={dashed ? '4 3' : undefined} />
      </svg>
      {name}
    </span>
  )
}
