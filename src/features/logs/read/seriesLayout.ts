import { cellMarks } from './csvRows.ts'
import { cellsOf, headingOf, plainName, TIME } from './logColumns.ts'
import { guessMapping } from './seriesRoles.ts'

/** The layout of a CSV of series: one column for each series, or one row for each sample. */
export interface SeriesLayout {
  readonly mark: string
  readonly cells: readonly string[]
  readonly time: number
  /** Microseconds in one unit of a bare time; 0: it is a date. */
  readonly scale: number
  /** If a row is one sample: the columns of its series and its value. */
  readonly long: { readonly name: number; readonly value: number } | null
}

const names = ['metric', 'series', 'name', 'field']

/** Returns whether these headings are of series: `"Time","queue_length{stage=""a""}"`, or `"Time","Metric","Value"`. */
export const isSeriesTable = (line: string): boolean => seriesLayoutOf(line) !== null

/** Returns the layout of a CSV of series by its headings; null for other headings. */
export function seriesLayoutOf(line: string): SeriesLayout | null {
  for (const mark of cellMarks.map((code) => String.fromCharCode(code))) {
    const cells = cellsOf(line.trimEnd(), mark).map((cell) => cell.trim())
    const plain = cells.map((cell) => cell.toLowerCase())
    const time = cells.findIndex((cell) => headingOf(cell)?.column === TIME)
    const { scale = 0 } = headingOf(cells[time] ?? '') ?? {}
    const [name, value] = [plain.findIndex((cell) => names.includes(cell)), plain.indexOf('value')]
    if (time >= 0 && cells.length === 3 && name >= 0 && value >= 0) return { mark, cells, time, scale, long: { name, value } }
    const others = cells.slice(1)
    if (time === 0 && others.length > 0 && (others.some((cell) => labelsIn(cell) !== null) || gridLabels(others) !== null))
      return { mark, cells, time, scale, long: null }
  }
  return null
}

/** The labels of a series, with its name under `__name__`. */
export type Labels = Readonly<Record<string, string>>

const NAMED = /^([A-Za-z_:][\w:]*)?\s*\{(.*)\}(?: (\d+))?$/
const LABEL = /^\s*([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)/
/** Marks between a stage and its measure. */
const between = [' - ', ': ', ' / ', ' ', '/', ':', '.', '-', '_'] as const

/**
 * Returns the labels of a PromQL name such as `queue_length{stage="encode"}`; null if it has no braces. Grafana appends a number to equal
 * names (`{stage="encode"} 2`), which then becomes their name.
 */
export function labelsIn(name: string): Labels | null {
  const [, plain, inside = '', number] = NAMED.exec(name.trim()) ?? []
  if (!NAMED.test(name.trim())) return null
  const labels: Record<string, string> = {}
  for (let rest = inside; rest.trim() !== ''; ) {
    const [whole, label, value] = LABEL.exec(rest) ?? []
    if (whole === undefined) return null
    labels[label] = value.replace(/\\(.)/g, '$1')
    rest = rest.slice(whole.length)
  }
  if (plain !== undefined) labels.__name__ = plain
  else if (number !== undefined && labels.__name__ === undefined) labels.__name__ = `series ${number}`
  return labels
}

/** Returns labels for plain names such as "encode queue" and "encode latency ms" if they form a full grid of stages and measures in exactly one way. */
export function gridLabels(names: readonly string[]): readonly Labels[] | null {
  const grids = new Map<string, readonly Labels[]>()
  for (const mark of between) {
    for (const cut of [names.map((name) => name.indexOf(mark)), names.map((name) => name.lastIndexOf(mark))]) {
      if (cut.some((at) => at <= 0)) continue
      const pairs = names.map((name, k) => [bare(name.slice(0, cut[k])), bare(name.slice(cut[k] + mark.length))] as const)
      for (const stageFirst of [true, false]) {
        const labels = pairs.map(([a, b]): Labels => (stageFirst ? { stage: a, __name__: plainName(b) } : { stage: b, __name__: plainName(a) }))
        if (isGrid(labels)) grids.set(JSON.stringify(labels), labels)
      }
    }
  }
  const [only, another] = grids.values()
  return another === undefined ? (only ?? null) : null
}

/** Returns a text without marks at its ends, so that `a - b` may be cut at a space or at the dash. */
const bare = (text: string): string => text.replace(/^[\s:/.\-_]+|[\s:/.\-_]+$/g, '')

/** Returns whether every stage has every measure, and the roles of the measures are clear. */
function isGrid(labels: readonly Labels[]): boolean {
  const [stages, measures] = ['stage', '__name__'].map((label) => new Set(labels.map((each) => each[label])))
  const all = new Set(labels.map((each) => JSON.stringify(each)))
  const full = all.size === labels.length && stages.size * measures.size === labels.length && !stages.has('') && !measures.has('')
  return full && guessMapping({ series: labels.map((each) => ({ labels: each })) }, 'stage').certain
}
