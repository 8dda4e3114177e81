import { useStore } from 'zustand'
import { themeStore } from '../../../app/base/page/theme.ts'
import { useLater } from '../../../app/base/page/useLater.ts'
import type { JobThreads } from '../../../runs/remote/jobThreads.ts'
import type { Preset } from '../../../scenario/presets/preset.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { type GlimpseShape, glimpseShapes } from './glimpseLayout.ts'

const WIDTH = 240
const HEIGHT = 88
/** A step every two points: nobody would see finer ones. */
const SAMPLES = WIDTH / 2

/** What was played once, by preset: presets do not change while the page is open. */
const played = new Map<string, Promise<GlimpseShape[]>>()

/** The picture of a preset, made from a run of it on another thread. */
export function GlimpsePicture({ preset, threads }: { readonly preset: Preset; readonly threads: JobThreads }) {
  // Without a picture the text must do.
  const shapes = useLater(preset, () => shapesOf(preset, threads).catch(() => [])) ?? []
  const palette = useStore(themeStore, (state) => state.palette)
  return (
    <svg className={shapes.length > 0 ? 'glimpse there' : 'glimpse'} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {palette !== null && shapes.map(({ stage, part, d }) => <path key={`${part} ${stage}`} className={part} d={d} fill={stageColour(palette, stage).fill} />)}
    </svg>
  )
}

function shapesOf({ key, scenario }: Preset, threads: JobThreads): Promise<GlimpseShape[]> {
  let shapes = played.get(key)
  if (shapes === undefined) {
    shapes = threads.run('glimpse', { scenario, samples: SAMPLES }).then(({ queues, seats }) => glimpseShapes(queues, seats, WIDTH, HEIGHT))
    played.set(key, shapes)
    shapes.catch(() => played.delete(key))
  }
  return shapes
}
