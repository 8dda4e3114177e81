import type { Size } from '../../../app/base/page/useSize.ts'
import { arrangeGraph } from '../../../app/draw/layout/graphLayout.ts'
import { arrange, graphLinks } from '../../../app/draw/layout/layout.ts'
import { linkCurve, linkPath } from '../../../app/draw/layout/linkCurve.ts'
import type { Arrangement, Box } from '../../../app/draw/layout/places.ts'
import { placesOf } from '../../../app/draw/nodes/pipelineNodes.ts'
import type { Link, Scenario } from '../../../scenario/model/scenario.ts'

/** The space for the layout of a small picture, in pixels of the canvas. A linear pipeline is easier to see in two rows than in one. */
const SPACE = { width: 900, height: 600 }
const MARGIN = 14

/** A pipeline as it stands on the canvas, for a very small picture. */
export interface Sketch {
  readonly viewBox: string
  /** The bounds of the picture, with the captions of source and sink, and the side of the captions. */
  readonly bounds: Box
  readonly captions: Arrangement['captions']
  readonly links: readonly string[]
  /** Source and sink. */
  readonly ends: readonly Box[]
  /** Each with the number of its stage, which gives its colour. */
  readonly stages: readonly (Box & { readonly stage: number })[]
}

/** Returns where the pipeline of a scenario stands if it is laid out in `space`. `headed`: links have arrows. */
export function sketchOf(scenario: Scenario, space: Size = SPACE, headed = false): Sketch {
  const places = placesOf(scenario, null)
  const graph = graphLinks(scenario)
  const arrangement = graph === null ? arrange(places, space) : arrangeGraph(places, graph, space)
  const { boxes, bounds, captions } = arrangement
  const all = [...boxes.values()]
  const [left, top] = [Math.min(...all.map(({ x }) => x)) - MARGIN, Math.min(...all.map(({ y }) => y)) - MARGIN]
  const right = Math.max(...all.map(({ x, width }) => x + width)) + MARGIN
  const bottom = Math.max(...all.map(({ y, height }) => y + height)) + MARGIN
  return {
    viewBox: [left, top, right - left, bottom - top].map((x) => Math.round(x)).join(' '),
    bounds,
    captions,
    links: scenario.links.map((link) => wayOf(link, arrangement, headed)).filter((way) => way !== ''),
    ends: ['source', 'sink'].flatMap((id) => boxes.get(id) ?? []),
    stages: scenario.stages.flatMap(({ id }, stage) => {
      const box = boxes.get(id)
      return box === undefined ? [] : [{ ...box, stage }]
    }),
  }
}

function wayOf([from, to]: Link, { boxes, flow, via }: Arrangement, headed: boolean): string {
  const [a, b] = [boxes.get(from), boxes.get(to)]
  return a === undefined || b === undefined
    ? ''
    : linkPath(linkCurve(a, b, flow, via.get(`${from} ${to}`)), flow === null, headed)
}
