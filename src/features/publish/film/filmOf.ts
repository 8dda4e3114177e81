import { currentPalette } from '../../../app/base/page/theme.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import { marksIn } from '../../../app/share/files/exportRun.ts'
import { frameAt, isPresent } from '../../../measures/frame/frame.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import type { TimeRange } from '../../../views/timeline/timelineRange.ts'
import { createFilm } from './drawing/film.ts'

/** Returns what draws a run on a canvas at any of its instants, over the range that the film shows. */
export function filmOf(canvas: HTMLCanvasElement, run: Run, range: TimeRange): (time: Micros) => void {
  const { scenario, trace, chart } = run
  extendChart(chart, trace)
  const draw = createFilm(canvas, {
    ...chart,
    palette: currentPalette(),
    title: scenario.title || 'Apportion',
    range,
    end: endOf(trace),
    stages: scenario.stages.map(({ name }, s) => ({ name, colourIndex: s })),
    stageOrder: stageNumbers(scenario),
    workers: frameAt(trace, endOf(trace)).workers.length,
    marks: marksIn(run),
    version: chart.rows,
  })
  return (time) => {
    const { stages, workers } = frameAt(trace, time)
    const there = workers.flatMap((worker, w) => (isPresent(worker) ? [{ stage: worker.stage, number: w + 1 }] : []))
    draw({
      time,
      workers: there.length,
      seats: stages.map(({ seats }) => seats),
      posted: stages.map(({ posted }) => posted),
      busy: stages.map(({ busy }) => busy),
      waiting: stages.map(({ waiting }) => waiting),
      workerNumbers: stages.map((_, s) => there.filter(({ stage }) => stage === s).map(({ number }) => number)),
    })
  }
}
