import { fromZero, type Series, type SeriesFile } from './prometheus.ts'

/** The labels of all series of a file. */
export type SeriesHeads = { readonly series: readonly Pick<Series, 'labels'>[] }

/** The meaning of a group of series. `completed` and `arrivals` are counters. */
export type Role =
  | 'queue'
  | 'service_s'
  | 'service_ms'
  | 'service_us'
  | 'workers'
  | 'completed'
  | 'arrivals'
  | 'nothing'

/** Series of one name: one for each stage, or for each instance of a stage. */
export interface SeriesGroup {
  /** Their name; of series without a name, their labels. */
  readonly name: string
  readonly series: readonly number[]
  /** The counts that belong to these sums, in their order; null: the series are not sums. */
  readonly counts: readonly number[] | null
  /** By sum: the buckets and quantiles of its histogram or summary, each a series with the label `le` or `quantile`. */
  readonly parts: readonly (readonly number[])[]
}

/** How series become a log: the label that names the stage, and what each group measures. */
export type Mapping = { readonly stageLabel: string; readonly roles: readonly Role[] }

const NAME = '__name__'
const likely = ['stage', 'step', 'queue', 'topic', 'task', 'pool', 'job', 'service']
/** Labels that distinguish the instances of a stage. */
const instanceLabels = ['instance', 'pod', 'container', 'host', 'hostname', 'node', 'replica']
/** Labels of one bucket of a histogram, and of one quantile of a summary. */
const partLabels = ['le', 'quantile']

/**
 * Returns the labels that may name the stage, the likeliest first: those of any of the `chosen` series. Without a choice it is made by
 * names; if these say nothing, only labels that every series has are returned.
 */
export function stageLabelsOf(file: SeriesHeads, chosen: readonly number[] = namedSeries(file)): string[] {
  const { series } = file
  const within = (chosen.length > 0 ? chosen : Array.from(series.keys())).map((i) => series[i].labels)
  const has = (label: string) => (labels: Readonly<Record<string, string>>) => Object.hasOwn(labels, label)
  const every = [...new Set(within.flatMap((labels) => Object.keys(labels)))].filter((label) => label !== NAME)
  const labels = chosen.length > 0 ? every : every.filter((label) => within.every(has(label)))
  const differs = (label: string) => within.some((all) => all[label] !== within[0][label])
  const known = (label: string) => {
    const roles = rolesWith(file, label)
    return Number(roles.includes('queue')) + Number(roles.some(isService))
  }
  const ranks = new Map(
    labels.map((label) => {
      const likeliest = likely.includes(label) ? likely.indexOf(label) : likely.length
      return [
        label,
        likeliest - 10_000 * known(label) - (differs(label) ? 100 : 0) + (instanceLabels.includes(label) ? 1000 : 0),
      ]
    }),
  )
  return labels.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0))
}

/** Returns the series whose names say what they measure. */
function namedSeries(file: SeriesHeads): number[] {
  return seriesGroups(file, '').flatMap((group) => (roleOf(group, file) === 'nothing' ? [] : group.series))
}

/** Returns what each group measures, by its name, if the label names the stage: a group without it measures nothing. */
function rolesWith(file: SeriesHeads, label: string): Role[] {
  return seriesGroups(file, label).map((group) =>
    group.series.some((i) => file.series[i].labels[label]) ? roleOf(group, file) : 'nothing',
  )
}

/** Returns the series by their names, in the order of the file. Sums, counts, buckets and quantiles of one name are one group. */
export function seriesGroups({ series }: SeriesHeads, stageLabel: string): SeriesGroup[] {
  const groups = new Map<string, number[]>()
  series.forEach(({ labels }, i) => {
    const name = labels[NAME] ?? `{${othersOf(labels, stageLabel)}}`
    groups.set(name, [...(groups.get(name) ?? []), i])
  })
  const taken = new Set<string>()
  const found = Array.from(groups, ([name, members]): SeriesGroup => {
    const plain = name.slice(0, -4)
    const ofCounts = name.endsWith('_sum') ? groups.get(`${plain}_count`) : undefined
    const byLabels = new Map(ofCounts?.map((i) => [othersOf(series[i].labels), i]))
    const counts = members.map((i) => byLabels.get(othersOf(series[i].labels)) ?? -1)
    if (ofCounts === undefined || counts.includes(-1)) return { name, series: members, counts: null, parts: [] }
    const parts = new Map(members.map((i) => [othersOf(series[i].labels), [] as number[]]))
    for (const [other, label] of [
      [`${plain}_bucket`, 'le'],
      [plain, 'quantile'],
    ]) {
      const each = (groups.get(other) ?? []).map((i) => [parts.get(othersOf(series[i].labels, label)), i] as const)
      if (!each.every(([, i]) => Object.hasOwn(series[i].labels, label))) continue
      for (const [of, i] of each) of?.push(i)
      taken.add(other)
    }
    taken.add(`${plain}_count`)
    return { name, series: members, counts, parts: [...parts.values()] }
  })
  return found.filter(({ name }) => !taken.has(name))
}

/** Guesses the mapping from names. It is certain only if exactly one group is the queue and one the service. */
export function guessMapping(
  file: SeriesHeads,
  stageLabel = stageLabelsOf(file)[0] ?? '',
): { readonly mapping: Mapping; readonly certain: boolean } {
  const groups = seriesGroups(file, stageLabel)
  const roles = rolesWith(file, stageLabel)
  const many = (is: (role: Role) => boolean) => roles.filter(is).length
  const none = (is: (role: Role, g: number) => boolean) =>
    roles.forEach((role, g) => void (is(role, g) && roles.splice(g, 1, 'nothing')))
  // Of several workers those that are busy are not all, and of several counts one by its own name counts.
  if (many((role) => role === 'workers') > 1)
    none((role, g) => role === 'workers' && has(wordsOf(groups[g].name), partly))
  for (const count of ['completed', 'arrivals'] as const) {
    const named = roles.findIndex((role, g) => role === count && has(wordsOf(groups[g].name), counted[count]))
    const kept = named < 0 ? roles.indexOf(count) : named
    none((role, g) => role === count && g !== kept)
  }
  const certain =
    stageLabel !== '' &&
    many((role) => role === 'queue') === 1 &&
    many(isService) === 1 &&
    many((role) => role === 'workers') <= 1
  return { mapping: { stageLabel, roles }, certain }
}

export const isService = (role: Role): boolean => role.startsWith('service')

/** Returns whether a group counts events or accumulates, by its name or labels, so that its numbers are not times. */
export function isCounter({ name, series, counts }: SeriesGroup, file: SeriesHeads): boolean {
  return (
    counts === null &&
    (/_(total|count|sum|bucket|created)$/.test(name) ||
      series.some((i) => partLabels.some((label) => Object.hasOwn(file.series[i].labels, label))))
  )
}

/** Returns the series with counters that begin at 0 where the queue of the same target was scraped before they were. */
export function withBirths(file: SeriesFile, { stageLabel, roles }: Mapping): SeriesFile {
  const { series } = file
  const groups = seriesGroups(file, stageLabel)
  const queues = new Map(
    groups.flatMap((group, g) =>
      roles[g] === 'queue' && group.counts === null
        ? group.series.map((i) => [othersOf(series[i].labels), series[i]] as const)
        : [],
    ),
  )
  const counters = new Set(
    groups.flatMap((group, g) => {
      const ofService = isService(roles[g] ?? 'nothing') && group.counts !== null
      if (ofService)
        return [
          ...group.series,
          ...(group.counts ?? []),
          ...group.parts.flat().filter((i) => Object.hasOwn(series[i].labels, 'le')),
        ]
      return (roles[g] === 'completed' || roles[g] === 'arrivals') && isCounter(group, file) ? group.series : []
    }),
  )
  const born = series.map((each, i) => {
    const queue = counters.has(i) ? queues.get(othersOf(each.labels, 'le')) : undefined
    return queue === undefined ? each : fromZero(each, queue)
  })
  return { ...file, series: born }
}

/** Whole words of names. `foreign`: of numbers that a process exports about itself. */
const queues = /^(\w*queues?|queued|\w*waiting|backlog|depth|pending|lag)$/
const crews = /^(workers?|replicas?|threads?|seats?|concurrency|(worker|thread)\w+)$/
const services =
  /^(service\w*|durations?|latency|latencies|seconds?|time|times|runtime|\w*[a-tv-z]time|took|elapsed|ms|us)$/
const milliseconds = /^(ms|msecs?|milli\w*)$/
const microseconds = /^(us|usecs?|micro\w*)$/
const partly = /^(busy|idle|active)$/
const counted = {
  completed: /^(completed|completions|done|finished|processed|served|handled|departures|departed)$/,
  arrivals: /^(arrivals?|arrived|received|enqueued|submitted|entered)$/,
} as const
const foreign =
  /^(bytes?|heap|memory|mem|cpu|gc|eventloop|scrape|start|started|uptime|timestamps?|age|created|timeout|interval|resident|virtual|fds|ratio|percent|utili[sz]ation)$/
const runtimes = /^(nodejs|go|python|jvm|dotnet|prometheus|promhttp|node|up)$/
const limits = /^(limit|capacity|max|maximum|min)$/

function roleOf(group: SeriesGroup, file: SeriesHeads): Role {
  const plain = group.name.replace(/_sum$/, '')
  const words = wordsOf(plain)
  const isSum = group.counts !== null
  const isWait = has(words, /^wait/)
  const isQueue = has(words, queues)
  const isTime = has(words, milliseconds) || has(words, microseconds) || has(words, services)
  if (runtimes.test(words[0] ?? '') || has(words, foreign) || has(words, limits)) return 'nothing'
  if (isCounter(group, file) && !(isQueue && words.at(-1) === 'count' && !isTime)) {
    if (!/_(total|count)$/.test(plain) || isWait || (isQueue && !has(words, counted.arrivals))) return 'nothing'
    if (has(words, counted.arrivals)) return 'arrivals'
    return has(words, counted.completed) || (isTime && words.at(-1) === 'count') ? 'completed' : 'nothing'
  }
  if (has(words, crews)) return isSum ? 'nothing' : 'workers'
  // A sum of waits is neither a queue nor a service, and a wait in seconds is not one in jobs.
  if (isQueue || isWait) return isQueue && !isSum && !isTime ? 'queue' : 'nothing'
  if (!isSum && has(words, counted.arrivals)) return 'arrivals'
  if (!isSum && has(words, counted.completed)) return 'completed'
  if (!isTime) return 'nothing'
  return has(words, milliseconds) ? 'service_ms' : has(words, microseconds) ? 'service_us' : 'service_s'
}

/** Returns the words of a name such as `queueLength`, or of the values of labels, in lower case. */
function wordsOf(name: string): string[] {
  return name
    .replace(/\w+="/g, '"')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[µμ]/g, 'u')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

const has = (words: readonly string[], kind: RegExp): boolean => words.some((word) => kind.test(word))

/** Returns the labels besides the name, as a text. */
function othersOf(labels: Readonly<Record<string, string>>, ...except: readonly string[]): string {
  const others = Object.keys(labels)
    .filter((label) => label !== NAME && !except.includes(label))
    .sort()
  return others.map((label) => `${label}="${labels[label]}"`).join(', ')
}
