import { useMemo } from 'react'
import { useStore } from 'zustand'
import { currentPalette, themeStore } from '../../../../app/base/page/theme.ts'
import { useDrawing } from '../../../../app/base/ui/useDrawing.ts'
import { t } from '../../../../language/translate.ts'
import { mountTimePlot } from '../../../../views/plots/timePlot.ts'
import { fitBands } from '../../draw/fitBands.ts'
import { logTicks } from '../../draw/logClock.ts'
import type { Fit } from '../../fit/fitLog.ts'
import type { SystemLog } from '../../read/log.ts'

/** Each stage's queue of the run over the logged one, with the stretches that the run does not explain. */
export function FitPicture({ fit, log }: { readonly fit: Fit; readonly log: SystemLog }) {
  const { time, stages, logged, played, gaps } = fit
  const palette = useStore(themeStore, (state) => state.palette) ?? currentPalette()
  const ticks = useMemo(() => logTicks(log.origin), [log.origin])
  const host = useDrawing(
    (element) => mountTimePlot(element),
    (plot) =>
      plot.update({
        palette,
        end: time[time.length - 1],
        playhead: null,
        ticks,
        parts: [fit],
        bands: () =>
          fitBands({
            palette,
            time,
            gaps,
            stages: stages.map(({ name }, s) => ({ name, colourIndex: log.stages.indexOf(name), logged: logged[s], run: played[s] })),
          }),
      }),
  )
  return (
    <figure className="fit-picture">
      <figcaption>
        <Key className="fit-logged" name={t('queue in the log')} />
        <Key className="fit-run" name={t('queue of the run, in the colour of the stage')} />
        {gaps.length > 0 && <Key className="fit-gap" name={t('not explained')} />}
      </figcaption>
      <div ref={host} role="img" aria-label={t('The queue of each stage in the run, over that in the log')} />
    </figure>
  )
}

function Key({ className, name }: { readonly className: string; readonly name: string }) {
  return (
    <span className={className}>
      <svg width="26" height="12" aria-hidden="true">
        <path d="M1,6H25" />
      </svg>
      {name}
    </span>
  )
}
