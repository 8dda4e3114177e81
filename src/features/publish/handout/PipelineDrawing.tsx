import type { Box, CaptionSide } from '../../../app/draw/layout/places.ts'
import { sourceCaption } from '../../../app/draw/shapes/sourceShapes.ts'
import { widthsIn } from '../../../app/share/files/exportRun.ts'
import { sketchOf } from '../../../app/share/library/sketch.ts'
import { t } from '../../../language/translate.ts'
import { serviceMean } from '../../../scenario/model/distributions.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { duration } from '../../../views/drawing/format.ts'
import { cutText } from '../../../views/drawing/paintedText.ts'
import { type Palette, stageColour } from '../../../views/drawing/palette.ts'

/** The room for the layout, in pixels of the canvas: the sheet is wide, and the picture of the run needs most of its height. */
const ROOM = { width: 1300, height: 460 }
const MARGIN = 6
/** The least width of the drawing, so that a short pipeline has letters as small as those of a long one. */
const LEAST_WIDTH = 1000
const PAD = 14
const NAME = { size: 20, weight: 600 }
/** The gap between a circle and its caption. */
const GAP = 10

interface Props {
  readonly scenario: Scenario
  readonly palette: Palette
  /** The ids of the stages whose service time is hidden. */
  readonly secret: ReadonlySet<string>
}

/** The pipeline as it stands on the canvas, without a run: stages with their mean service times, links, source and sink. */
export function PipelineDrawing({ scenario, palette, secret }: Props) {
  const { bounds, captions, links, ends, stages } = sketchOf(scenario, ROOM, true)
  const width = Math.max(LEAST_WIDTH, bounds.width + 2 * MARGIN)
  const view = [bounds.x - (width - bounds.width) / 2, bounds.y - MARGIN, width, bounds.height + 2 * MARGIN].map(Math.round)
  const [source, sink] = ends
  const widthOf = widthsIn(palette.font)
  return (
    <svg viewBox={view.join(' ')} role="img" aria-label={t('Pipeline')} fontSize="14" overflow="visible">
      {links.map((way) => (
        <path key={way} d={way} fill="none" stroke={palette.soft} strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
      ))}
      {stages.map(({ stage, ...box }) => {
        const { id, name, service } = scenario.stages[stage]
        const colour = stageColour(palette, stage)
        return (
          <g key={id}>
            <rect {...box} rx="14" fill={palette.panel} stroke={colour.fill} strokeWidth="2.5" />
            <text x={box.x + PAD} y={box.y + box.height / 2 - 6} fontSize={NAME.size} fontWeight={NAME.weight} fill={colour.text}>
              {cutText(name, box.width - 2 * PAD, (part) => widthOf(part, NAME.size, NAME.weight))}
            </text>
            <text x={box.x + PAD} y={box.y + box.height / 2 + 22} fontSize="16" fill={palette.soft}>
              {secret.has(id) ? '?' : duration(serviceMean(service))}
            </text>
          </g>
        )
      })}
      <End box={source} side={captions.source} caption={sourceCaption(scenario.source)} palette={palette} filled={false} />
      <End box={sink} side={captions.sink} caption={scenario.order.kind === 'none' ? '' : t('ordered')} palette={palette} filled />
    </svg>
  )
}

interface EndProps {
  readonly box: Box
  readonly side: CaptionSide
  readonly caption: string
  readonly palette: Palette
  readonly filled: boolean
}

/** Source or sink: a circle, and its caption on the side that the layout leaves free. */
function End({ box: { x, y, width, height }, side, caption, palette, filled }: EndProps) {
  const [cx, cy] = [x + width / 2, y + height / 2]
  const at = side === 'below' ? { x: cx, y: y + height + GAP + 10 } : { x: side === 'right' ? x + width + GAP : x - GAP, y: cy + 5 }
  return (
    <>
      <circle cx={cx} cy={cy} r={width / 2 - 1} fill={filled ? palette.ink : palette.panel} stroke={palette.ink} strokeWidth="2" />
      {caption !== '' && (
        <text {...at} fill={palette.soft} textAnchor={anchors[side]}>
          {caption}
        </text>
      )}
    </>
  )
}

const anchors = { below: 'middle', left: 'end', right: 'start' } as const
