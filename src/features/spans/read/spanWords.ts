import { t } from '../../../language/translate.ts'
import { listed, quoted } from '../../../scenario/model/words.ts'
import type { SpanFlow } from './stageGraph.ts'

/** Ranks are correlated if they are so by this, and by this many standard errors. */
const [CLEAR, ERRORS] = [0.2, 4]
/** Correlations are sought among the first stages, over this many jobs at least. */
const [MAX_STAGES, MIN_JOBS] = [24, 50]
/** A worker came or went if it is away at an end of the run for this share, and for this many times its longest pause. */
const [AWAY, PAUSES] = [0.1, 3]
const MIN_SERVICES = 5
const SHOWN = 3

/**
 * Returns what a scenario of the run does not say by itself: forks and joins, correlated service times, workers that came or went. `named`: the
 * file names its workers.
 */
export function spanWords(
  flow: SpanFlow,
  job: Int32Array,
  worker: Int32Array,
  isIn: (i: number) => boolean,
  named: boolean,
): string[] {
  const { graph, stage, began, ended } = flow
  const services = Int32Array.from(stage.keys()).filter(isIn)
  const name = (s: number) => quoted(graph.stages[s].name)
  const notes: string[] = []
  for (const [s, parts] of graph.joins.entries()) {
    if (parts < 2) continue
    const before = graph.links.flatMap(([from, to]) =>
      to === graph.stages[s].id ? graph.stages.flatMap(({ id }, k) => (id === from ? [k] : [])) : [],
    )
    notes.push(
      t('Jobs are at {stages} side by side, and {join} waits for all of their parts.', {
        stages: listed(before.map(name)),
        join: name(s),
      }),
    )
  }
  const pairs = correlated(flow, services, job)
  for (const { a, b, r } of pairs.slice(0, SHOWN))
    notes.push(
      t(
        'The service times of a job at {a} and {b} are correlated: {r} by rank. A scenario of this run draws them independently.',
        {
          a: name(a),
          b: name(b),
          r: r.toFixed(2),
        },
      ),
    )
  const { came, went } = comings(services, began, ended, worker)
  if (named && came + went > 0)
    notes.push(
      t('Workers that came during the run: {came}, that went: {went}. A scenario of this run has them all the time.', {
        came,
        went,
      }),
    )
  return notes
}

/** Returns the pairs of stages whose service times are correlated by rank (Spearman 1904), the strongest first. */
function correlated({ graph, stage, began, ended, threw }: SpanFlow, services: Int32Array, job: Int32Array) {
  const count = Math.min(MAX_STAGES, graph.stages.length)
  const took = Array.from({ length: count }, () => new Map<number, number>())
  for (const i of services) if (threw[i] === 0 && stage[i] < count) took[stage[i]].set(job[i], ended[i] - began[i])
  const pairs: { readonly a: number; readonly b: number; readonly r: number }[] = []
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++) {
      const both = [...took[a].keys()].filter((each) => took[b].has(each))
      if (both.length < MIN_JOBS) continue
      const [x, y] = [took[a], took[b]].map((of) => ranksOf(both.map((each) => of.get(each) ?? 0)))
      const middle = (both.length - 1) / 2
      let [xy, xx, yy] = [0, 0, 0]
      for (let k = 0; k < both.length; k++) {
        xy += (x[k] - middle) * (y[k] - middle)
        xx += (x[k] - middle) * (x[k] - middle)
        yy += (y[k] - middle) * (y[k] - middle)
      }
      const r = xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : 0
      if (Math.abs(r) >= CLEAR && Math.abs(r) * Math.sqrt(both.length) >= ERRORS) pairs.push({ a, b, r })
    }
  return pairs.sort((one, other) => Math.abs(other.r) - Math.abs(one.r))
}

/** Returns the rank of each value, from 0; equal ones share the mean of theirs. */
function ranksOf(values: readonly number[]): Float64Array {
  const order = Int32Array.from(values.keys()).sort((a, b) => values[a] - values[b])
  const ranks = new Float64Array(values.length)
  for (let k = 0; k < order.length; ) {
    let end = k
    while (end + 1 < order.length && values[order[end + 1]] === values[order[k]]) end++
    for (let n = k; n <= end; n++) ranks[order[n]] = (k + end) / 2
    k = end + 1
  }
  return ranks
}

/** Returns how many workers had their first service long after the run began, and their last long before it ended. */
function comings(services: Int32Array, began: Float64Array, ended: Float64Array, worker: Int32Array) {
  const seen = new Map<number, { first: number; last: number; pause: number; services: number }>()
  let end = 0
  for (const i of Int32Array.from(services).sort((a, b) => began[a] - began[b])) {
    end = Math.max(end, ended[i])
    const known = seen.get(worker[i])
    if (known === undefined) seen.set(worker[i], { first: began[i], last: ended[i], pause: 0, services: 1 })
    else {
      known.pause = Math.max(known.pause, began[i] - known.last)
      known.last = Math.max(known.last, ended[i])
      known.services++
    }
  }
  const first = Math.min(...Array.from(seen.values(), (each) => each.first))
  const isAway = (time: number, pause: number) => time > Math.max(AWAY * (end - first), PAUSES * pause)
  let [came, went] = [0, 0]
  for (const each of seen.values()) {
    if (each.services < MIN_SERVICES) continue
    if (isAway(each.first - first, each.pause)) came++
    if (isAway(end - each.last, each.pause)) went++
  }
  return { came, went }
}
