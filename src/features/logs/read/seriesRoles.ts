import type { Series } from './prometheus.ts'

/** The labels of all series of a file. */
export type SeriesHeads = { readonly series: readonly Pick<Series, 'labels'>[] }

/** The meaning of a group of series. */
export type Role = 'queue' | 'service_s' | 'service_ms' | 'service_us' | 'workers' | 'nothing'

/** Series of one name: one for each stage, or for each instance of a stage. */
export interface SeriesGroup {
  /** Their name; of series without a name, their labels. */
  readonly name: string
  readonly series: readonly number[]
  /** The counts that belong to these sums, in their order; null: the series are not sums. */
  readonly counts: readonly number[] | null
}

/** How series become a log: the label that names the stage, and what each group measures. */
export type Mapping = { readonly stageLabel: string; readonly roles: readonly Role[] }

const NAME = '__name__'
const likely = ['stage', 'step', 'queue', 'topic', 'task', 'pool', 'job', 'service']
/** Labels that distinguish the instances of a stage. */
const instanceLabels = ['instance', 'pod', 'container', 'host', 'hostname', 'node', 'replica']
/** Labels of one bucket of a histogram, and of one quantile of a summary. */
const partLabels = ['le', 'quantile']

/** Returns the labels that may name the stage, the likeliest first: those that every series has. */
export function stageLabelsOf({ series }: SeriesHeads): string[] {
  const labels = Object.keys(series[0]?.labels ?? {}).filter((label) => label !== NAME && series.every(({ labels: all }) => Object.hasOwn(all, label)))
  const differs = (label: string) => series.some(({ labels: all }) => all[label] !== series[0].labels[label])
  const rank = (label: string) =>
    (likely.includes(label) ? likely.indexOf(label) : likely.length) - (differs(label) ? 100 : 0) + (instanceLabels.includes(label) ? 1000 : 0)
  return labels.sort((a, b) => rank(a) - rank(b))
}

/** Returns the series by their names, in the order of the file. Sums and counts of one name are one group. */
export function seriesGroups({ series }: SeriesHeads, stageLabel: string): SeriesGroup[] {
  const groups = new Map<string, number[]>()
  series.forEach(({ labels }, i) => {
    const name = labels[NAME] ?? `{${othersOf(labels, stageLabel)}}`
    groups.set(name, [...(groups.get(name) ?? []), i])
  })
  const counted = new Set<string>()
  const found = Array.from(groups, ([name, members]): SeriesGroup => {
    const ofCounts = name.endsWith('_sum') ? groups.get(`${name.slice(0, -4)}_count`) : undefined
    const byLabels = new Map(ofCounts?.map((i) => [othersOf(series[i].labels), i]))
    const counts = members.map((i) => byLabels.get(othersOf(series[i].labels)) ?? -1)
    if (ofCounts === undefined || counts.includes(-1)) return { name, series: members, counts: null }
    counted.add(`${name.slice(0, -4)}_count`)
    return { name, series: members, counts }
  })
  return found.filter(({ name }) => !counted.has(name))
}

/** Guesses the mapping from names. It is certain only if exactly one group is the queue and one the service. */
export function guessMapping(file: SeriesHeads, stageLabel = stageLabelsOf(file)[0] ?? ''): { readonly mapping: Mapping; readonly certain: boolean } {
  const roles = seriesGroups(file, stageLabel).map((group) => roleOf(group, file))
  const many = (is: (role: Role) => boolean) => roles.filter(is).length
  const certain = stageLabel !== '' && many((role) => role === 'queue') === 1 && many(isService) === 1 && many((role) => role === 'workers') <= 1
  return { mapping: { stageLabel, roles }, certain }
}

export const isService = (role: Role): boolean => role.startsWith('service')

/** Returns whether a group counts events or accumulates, by its name or labels, so that its numbers are not times. */
export function isCounter({ name, series, counts }: SeriesGroup, file: SeriesHeads): boolean {
  return (
    counts === null &&
    (/_(total|count|sum|bucket|created)$/.test(name) || series.some((i) => partLabels.some((label) => Object.hasOwn(file.series[i].labels, label))))
  )
}

function roleOf(group: SeriesGroup, file: SeriesHeads): Role {
  const plain = group.name.toLowerCase().replace(/_sum$/, '')
  const isSum = group.counts !== null
  if (isCounter(group, file) && !/(queue|queued|jobs|waiting|backlog|depth|pending)_count$/.test(plain)) return 'nothing'
  if (/worker|replica|thread|seat|concurrency/.test(plain)) return isSum ? 'nothing' : 'workers'
  // A sum of waits is neither a queue nor a service. `flag` is not a lag.
  const isQueue = /queue|waiting|backlog|depth|pending|(?<![a-z])lag\b/.test(plain)
  if (isQueue || plain.includes('wait')) return isQueue && !isSum ? 'queue' : 'nothing'
  if (!/service|duration|latency|seconds|_ms|_us|time/.test(plain)) return 'nothing'
  return /_ms|milli/.test(plain) ? 'service_ms' : /_us|micro/.test(plain) ? 'service_us' : 'service_s'
}

/** Returns the labels besides the name, as a text. */
function othersOf(labels: Readonly<Record<string, string>>, except: string = NAME): string {
  const others = Object.keys(labels)
    .filter((label) => label !== NAME && label !== except)
    .sort()
  return others.map((label) => `${label}="${labels[label]}"`).join(', ')
}
