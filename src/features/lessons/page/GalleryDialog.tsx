import { max, range, sum } from 'd3-array'
import { scaleLinear } from 'd3-scale'
import { curveStepAfter } from 'd3-shape'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { themeStore } from '../../../app/base/page/theme.ts'
import { useLater } from '../../../app/base/page/useLater.ts'
import { Dialog } from '../../../app/base/ui/Dialog.tsx'
import { useSeries } from '../../../app/session/features/features.tsx'
import { openDialog } from '../../../app/session/page/showing.ts'
import { openScenario } from '../../../app/session/run/opening.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { type JobThreads, openJobThreads } from '../../../runs/remote/jobThreads.ts'
import type { Preset } from '../../../scenario/presets/preset.ts'
import { presetOf } from '../../../scenario/presets/presets.ts'
import { stackedPaths } from '../../../views/drawing/curves.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { type Ladder, ladders } from '../content/lessons.ts'
import './gallery.css'

/** All presets with a picture of their run, in three series from simple to hard. */
export function GalleryDialog() {
  const session = useSession()
  const onClose = () => openDialog(session, null)
  const [threads, setThreads] = useState<JobThreads | null>(null)
  const more = useSeries()
  useEffect(() => {
    const opened = openJobThreads(2)
    setThreads(opened)
    return opened.end
  }, [])
  return (
    <Dialog title={t('Gallery')} kind="gallery" onClose={onClose}>
      <p className="soft">{t('Above: how many jobs wait at each stage during the run. Below: who works where.')}</p>
      {(Object.keys(ladders) as Ladder[]).map((ladder) => (
        <section key={ladder} aria-labelledby={`ladder-${ladder}`}>
          <h3 id={`ladder-${ladder}`}>{names()[ladder]}</h3>
          <ol>
            {ladders[ladder].map((key) => {
              const preset = presetOf(key)
              return preset === undefined || threads === null ? null : (
                <Entry key={key} preset={preset} threads={threads} onClose={onClose} />
              )
            })}
          </ol>
        </section>
      ))}
      {more.map(({ title, presets }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <ol>
            {threads !== null &&
              presets.map((preset) => <Entry key={preset.key} preset={preset} threads={threads} onClose={onClose} />)}
          </ol>
        </section>
      ))}
    </Dialog>
  )
}

function Entry({
  preset,
  threads,
  onClose,
}: {
  readonly preset: Preset
  readonly threads: JobThreads
  readonly onClose: () => void
}) {
  const session = useSession()
  const { title, about, scenario, engine } = preset
  return (
    <li>
      <button
        type="button"
        onClick={() => {
          onClose()
          openScenario(session, scenario, engine)
        }}
      >
        <GlimpsePicture preset={preset} threads={threads} />
        <strong>{title}</strong>
        <span className="soft">{about}</span>
        {engine === 'threads' && <small>{t('On Web Workers')}</small>}
      </button>
    </li>
  )
}

const names = (): Readonly<Record<Ladder, string>> => ({
  queues: t('Pipelines and queues'),
  seats: t('Who works where'),
  breaks: t('When it breaks'),
})

const WIDTH = 240
const HEIGHT = 88
/** A step every two pixels: finer ones would be invisible. */
const SAMPLES = WIDTH / 2

/** The pictures by preset: presets do not change while the page is open. */
const played = new Map<string, Promise<GlimpseShape[]>>()

/** The picture of a preset, made from a run of it on another thread. */
function GlimpsePicture({ preset, threads }: { readonly preset: Preset; readonly threads: JobThreads }) {
  const shapes = useLater(preset, () => shapesOf(preset, threads).catch(() => [])) ?? []
  const palette = useStore(themeStore, (state) => state.palette)
  return (
    <svg
      className={shapes.length > 0 ? 'glimpse there' : 'glimpse'}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {palette !== null &&
        shapes.map(({ stage, part, d }) => (
          <path key={`${part} ${stage}`} className={part} d={d} fill={stageColour(palette, stage).fill} />
        ))}
    </svg>
  )
}

function shapesOf({ key, scenario }: Preset, threads: JobThreads): Promise<GlimpseShape[]> {
  let shapes = played.get(key)
  if (shapes === undefined) {
    shapes = threads
      .run('glimpse', { scenario, samples: SAMPLES })
      .then(({ queues, seats }) => glimpseShapes(queues, seats, WIDTH, HEIGHT))
    played.set(key, shapes)
    shapes.catch(() => played.delete(key))
  }
  return shapes
}

/** One area of a small picture of a whole run: the stacked queues above, the stacked seats below. */
export type GlimpseShape = { readonly stage: number; readonly part: 'queue' | 'seats'; readonly d: string }

/** The queues’ share of the height, and the gap below them. */
const QUEUES = 0.6
const GAP = 4

/** Returns the areas for samples by stage over equal parts of the run. The greatest sum reaches the top; stages that are always 0 are left out. */
export function glimpseShapes(
  queues: readonly (readonly number[])[],
  seats: readonly (readonly number[])[],
  width: number,
  height: number,
): GlimpseShape[] {
  const middle = Math.round(height * QUEUES)
  return [...stacked('queue', queues, width, 0, middle), ...stacked('seats', seats, width, middle + GAP, height)]
}

function stacked(
  part: GlimpseShape['part'],
  rows: readonly (readonly number[])[],
  width: number,
  top: number,
  bottom: number,
): GlimpseShape[] {
  const samples = rows[0]?.length ?? 0
  const most = max(range(samples), (k) => sum(rows, (row) => row[k])) ?? 0
  if (most <= 0) return []
  // Each sample is a level line, the last one too.
  const lasting = rows.map((row) => [...row, row[samples - 1]])
  const paths = stackedPaths(
    lasting,
    scaleLinear([0, samples], [0, width]),
    scaleLinear([0, most], [bottom, top]),
    curveStepAfter,
  )
  return paths.flatMap((d, stage) => (rows[stage].every((value) => value === 0) ? [] : [{ stage, part, d }]))
}
