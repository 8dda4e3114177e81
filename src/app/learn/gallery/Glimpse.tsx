import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { JobThreads } from '../../../runs/remote/jobThreads.ts'
import type { Preset } from '../../../scenario/presets/preset.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { type GlimpseShape, glimpseShapes } from '../../../views/plots/glimpseLayout.ts'
import { themeStore } from '../../base/page/theme.ts'

const WIDTH = 240
const HEIGHT = 88
/** A step every two points: finer ones would not be seen. */
const SAMPLES = WIDTH / 2

/** What has been played once: presets do not change while the page is open. */
const played = new Map<string, Promise<GlimpseShape[]>>()

/** The picture of a preset, made from a run of it: played on another thread when it is asked for. */
export function GlimpsePicture({ preset, trials }: { readonly preset: Preset; readonly trials: JobThreads }) {
  const [shapes, setShapes] = useState<readonly GlimpseShape[]>([])
  const palette = useStore(themeStore, (state) => state.palette)
  useEffect(() => {
    let gone = false
    void shapesOf(preset, trials).then(
      (all) => !gone && setShapes(all),
      // Its words say what there is to see.
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [preset, trials])
  return (
    <svg className={shapes.length > 0 ? 'glimpse there' : 'glimpse'} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {palette !== null && shapes.map(({ stage, part, d }) => <path key={`${part} ${stage}`} className={part} d={d} fill={stageColour(palette, stage).fill} />)}
    </svg>
  )
}

function shapesOf({ key, scenario }: Preset, trials: JobThreads): Promise<GlimpseShape[]> {
  let shapes = played.get(key)
  if (shapes === undefined) {
    shapes = trials.run('glimpse', { scenario, samples: SAMPLES }).then(({ queues, seats }) => glimpseShapes(queues, seats, WIDTH, HEIGHT))
    played.set(key, shapes)
    shapes.catch(() => played.delete(key))
  }
  return shapes
}
