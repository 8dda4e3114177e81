import { plainName } from './logColumns.ts'
import { guessMapping } from './seriesRoles.ts'

/** The labels of a series, with its name under `__name__`. */
export type Labels = Readonly<Record<string, string>>

const NAMED = /^([A-Za-z_:][\w:]*)?\s*\{(.*)\}(?: (\d+))?$/
const LABEL = /^\s*([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)/
/** What may stand between a stage and what is measured there. */
const between = [' - ', ': ', ' / ', ' ', '/', ':', '.', '-', '_'] as const

/**
 * Returns the labels that a name of PromQL tells, such as `queue_length{stage="encode"}`; null where it has no braces. Equal names
 * get a number behind them in Grafana (`{stage="encode"} 2`), which then is their name.
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

/**
 * Returns labels for plain names such as "encode queue" and "encode latency ms", in their order, where they make a full grid of stages
 * and measures in one way only; else null.
 */
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

/** Returns a part without marks at its ends: `a - b` cut at a space is the same as cut at the dash. */
function bare(text: string): string {
  return text.replace(/^[\s:/.\-_]+|[\s:/.\-_]+$/g, '')
}

/** Whether every stage has every measure, and the measures say what they are. */
function isGrid(labels: readonly Labels[]): boolean {
  const [stages, measures] = ['stage', '__name__'].map((label) => new Set(labels.map((each) => each[label])))
  const all = new Set(labels.map((each) => JSON.stringify(each)))
  const full = all.size === labels.length && stages.size * measures.size === labels.length && !stages.has('') && !measures.has('')
  return full && guessMapping({ series: labels.map((each) => ({ labels: each })) }, 'stage').certain
}
