import { t } from '../../language/translate.ts'
import { linkProblems } from '../graph/graph.ts'
import { partProblems } from '../graph/partProblems.ts'
import { greatestService, serviceProblem } from '../model/distributions.ts'
import * as limit from '../model/limits.ts'
import { linearLinks, waysOf } from '../model/linearStages.ts'
import type { Link, Problem, Service } from '../model/scenario.ts'
import { countJobs, lastArrival, lastRetry, sourceProblems } from '../model/sources.ts'
import { countText, foundBeside, foundText, listed, listedTwice, pathOf, problemAt, quoted } from '../model/words.ts'
import * as scheduler from './schedulerRules.ts'
import type { SchemaDraft } from './schema.ts'
import { wholeText } from './shape.ts'

type Key = keyof SchemaDraft
type Rule = (draft: SchemaDraft) => Problem[]

/** The checks that need several keys. A check runs only if all keys that it reads are well formed. */
export const scenarioRules: readonly { readonly keys: readonly Key[]; readonly check: Rule }[] = [
  { keys: ['stages'], check: uniqueIds },
  { keys: ['stages'], check: services },
  { keys: ['stages'], check: changesAscend },
  { keys: ['stages', 'links'], check: pipelineIsSound },
  { keys: ['source'], check: ({ source }) => [...sourceProblems(source)] },
  { keys: ['source', 'stages'], check: servicesAreBounded },
  { keys: ['source', 'stages', 'links', 'order'], check: retriesAreSound },
  { keys: ['source', 'workerEvents', 'batch', 'policy', 'later'], check: returnsAreBounded },
  { keys: ['workers', 'policy', 'stages', 'workerEvents'], check: workerEventsAreSound },
  { keys: ['policy', 'stages', 'workers', 'workerEvents'], check: scheduler.policyFits },
  { keys: ['source', 'stages'], check: resourcesExist },
  {
    keys: [
      'source',
      'stages',
      'workers',
      'cores',
      'policy',
      'workerEvents',
      'batch',
      'switchCost',
      'groupSwitchCost',
      'network',
      'later',
    ],
    check: clockIsBounded,
  },
  { keys: ['batch'], check: scheduler.batchIsOne },
  { keys: ['branches', 'stages'], check: scheduler.branchesAreWhole },
  { keys: ['order', 'policy'], check: scheduler.shardsLend },
  { keys: ['order', 'batch'], check: scheduler.shardsGiveOne },
  { keys: ['order', 'stages'], check: scheduler.shardsGoInTurn },
  { keys: ['policy', 'workerEvents'], check: scheduler.poolsAreSound },
  { keys: ['policy', 'source', 'stages', 'workers', 'workerEvents', 'later'], check: scheduler.ticksAreBounded },
  {
    keys: ['policy', 'source', 'stages', 'workers', 'workerEvents', 'order', 'later'],
    check: scheduler.phasesAreSound,
  },
]

function uniqueIds({ stages }: SchemaDraft): Problem[] {
  const first = new Map<string, number>()
  const problems: Problem[] = []
  stages.forEach(({ id }, i) => {
    const before = first.get(id)
    if (before === undefined) first.set(id, i)
    else problems.push({ path: `stages[${i}].id`, message: listedTwice(id) })
  })
  return problems
}

function* servicesOf({ stages }: Pick<SchemaDraft, 'stages'>): Generator<readonly [path: string, service: Service]> {
  for (const [i, stage] of stages.entries()) {
    yield [`stages[${i}].service`, stage.service]
    if (stage.startUp !== null) yield [`stages[${i}].startUp`, stage.startUp]
    for (const [k, change] of stage.changes.entries()) yield [`stages[${i}].changes[${k}].service`, change.service]
  }
}

function services(draft: SchemaDraft): Problem[] {
  return [...servicesOf(draft)].flatMap(([path, service]) => {
    const problem = serviceProblem(service)
    return problem === null ? [] : [{ path: `${path}.${problem[0]}`, message: problem[1] }]
  })
}

function changesAscend({ stages }: SchemaDraft): Problem[] {
  return stages.flatMap(({ changes }, i) => {
    const k = changes.findIndex(({ from }, n) => n > 0 && from <= changes[n - 1].from)
    return k < 0
      ? []
      : problemAt(
          `stages[${i}].changes[${k}].from`,
          foundText(changes[k].from, t('more than {n}, the one before', { n: countText(changes[k - 1].from) })),
        )
  })
}

/** Checks the links, then the weights of routes, then the joins. */
export function pipelineIsSound({ stages, links }: SchemaDraft): Problem[] {
  const ids = stages.map(({ id }) => id)
  if (new Set(ids).size < ids.length) return []
  const drawn = links ?? linearLinks(ids)
  const wrong = linkProblems(ids, drawn)
  if (wrong.length > 0) return wrong
  return [...routeProblems(stages, drawn), ...partProblems(stages, drawn)]
}

function routeProblems(stages: SchemaDraft['stages'], links: readonly Link[]): Problem[] {
  const ways = waysOf(links).next
  return stages.flatMap(({ id, fanOut }, i) => {
    if (fanOut === 'copy') return []
    const next = ways.get(id) ?? []
    const path = ['stages', i, 'fanOut', 'route']
    const missing = next.filter((to) => !fanOut.route.has(to))
    const unknown = [...fanOut.route.keys()].filter((to) => !next.includes(to))
    return [
      ...missing.map((to) => ({ path: pathOf(path), message: t('no weight for {to}', { to: quoted(to) }) })),
      ...unknown.map((to) => ({ path: pathOf([...path, to]), message: foundText(to, listed(next.map(quoted))) })),
    ]
  })
}

function servicesAreBounded({ source, stages }: SchemaDraft): Problem[] {
  const jobs = countJobs(source)
  if (jobs > limit.MAX_JOBS) return []
  const services = jobs * stages.length
  if (services > limit.MAX_SERVICES) {
    const most = Math.floor(limit.MAX_SERVICES / stages.length)
    return problemAt(
      'source',
      t('{jobs, number} jobs × {n, number} stages = {jobs2} services; allowed: {MAX_SERVICES}, so {most} jobs', {
        jobs,
        n: stages.length,
        jobs2: countText(services),
        MAX_SERVICES: countText(limit.MAX_SERVICES),
        most: countText(most),
      }),
    )
  }
  const again = stages.map(({ fails }) => (fails === null ? 0 : Math.min(fails.jobs.length, jobs) * (fails.tries - 1)))
  const tries = services + again.reduce((sum, more) => sum + more, 0)
  if (!(tries > limit.MAX_SERVICES)) return []
  return problemAt(
    `stages[${again.indexOf(Math.max(...again))}].fails`,
    t('{tries} services with retries; allowed: {MAX_SERVICES}', {
      tries: countText(tries),
      MAX_SERVICES: countText(limit.MAX_SERVICES),
    }),
  )
}

/** Clients can give up a job that stands whole in one queue and holds no place in an order. */
function retriesAreSound({ source, stages, links, order }: SchemaDraft): Problem[] {
  const { retry } = source
  if (retry === undefined) return []
  const wrong = serviceProblem(retry.after)
  const most = Math.floor(limit.MAX_SERVICES / countJobs(source)) - 1
  const firsts = (links ?? [['source', stages[0].id]]).flatMap(([from, to]) => (from === 'source' ? [to] : []))
  const first = stages.findIndex(({ id }) => id === firsts[0])
  return [
    ...(wrong === null ? [] : problemAt(`source.retry.after.${wrong[0]}`, wrong[1])),
    ...(retry.limit <= most ? [] : problemAt('source.retry.limit', foundText(retry.limit, wholeText(0, most)))),
    ...(firsts.length < 2 ? [] : problemAt('source.retry', t('only one stage may follow a source with retry'))),
    ...(order.kind === 'none' ? [] : problemAt('order.kind', foundBeside(order.kind, 'none', 'retry'))),
    ...(stages[first]?.resource && stages[first].whenTaken === 'skip'
      ? problemAt(`stages[${first}].whenTaken`, foundBeside('skip', 'wait', 'retry'))
      : []),
  ]
}

/** A worker that ends returns its jobs, without a limit on how often a job is returned. */
function returnsAreBounded({ source, workerEvents, ...draft }: SchemaDraft): Problem[] {
  const ends = workerEvents.filter(({ kind }) => kind !== 'join').length
  const returns = ends * Math.min(countJobs(source), 2 * largestBatch(draft))
  if (!(returns > limit.MAX_SERVICES)) return []
  return problemAt(
    'workerEvents',
    t('{ends} workers may return {returns} jobs; allowed: {MAX_SERVICES}', {
      ends: countText(ends),
      returns: countText(returns),
      MAX_SERVICES: countText(limit.MAX_SERVICES),
    }),
  )
}

function largestBatch({ batch, later }: Pick<SchemaDraft, 'batch' | 'later'>): number {
  const sizes = [{ batch }, ...later].map((phase) =>
    phase.batch?.adaptive ? limit.MAX_BATCH : (phase.batch?.size ?? 1),
  )
  return Math.max(...sizes)
}

function resourcesExist({ source, stages }: SchemaDraft): Problem[] {
  if (source.kind === 'groups') return []
  return stages.flatMap(({ resource }, i) =>
    resource === null
      ? []
      : problemAt(
          `stages[${i}].resource`,
          t('the source {kind} makes no groups; allowed: null, or the source groups', {
            kind: quoted(source.kind),
          }),
        ),
  )
}

function workerEventsAreSound({ workers, workerEvents }: SchemaDraft): Problem[] {
  const gone = new Set<number>()
  const hung = new Set<number>()
  let ever = workers
  let before = 0
  for (const [i, { at, kind, worker }] of workerEvents.entries()) {
    const problem = (key: string, message: string) => problemAt(`workerEvents[${i}].${key}`, message)
    if (at < before) return problem('at', foundText(at, t('at least {n}, the one before', { n: countText(before) })))
    before = at
    if (kind === 'join') {
      if (worker !== ever) return problem('worker', foundText(worker, String(ever)))
      ever++
      continue
    }
    if (worker >= ever) return problem('worker', foundText(worker, wholeText(0, ever - 1)))
    if (gone.has(worker) || (kind === 'hang' && hung.has(worker)))
      return problem('worker', t('worker {worker} is gone or hangs by then', { worker }))
    if (kind === 'hang') hung.add(worker)
    else gone.add(worker)
  }
  return []
}

/** A rough bound: all jobs in turn at their greatest services, tries, returns and messages, after the last event, plus the waiting for hanging workers. */
function clockIsBounded({
  source,
  stages,
  workers,
  cores,
  policy,
  workerEvents,
  batch,
  network,
  later,
  ...costs
}: SchemaDraft): Problem[] {
  const [switchCost, groupSwitchCost] = (['switchCost', 'groupSwitchCost'] as const).map((key) =>
    later.reduce((most, phase) => Math.max(most, phase[key] ?? 0), costs[key]),
  )
  const jobs = countJobs(source)
  const perJob = stages.map(
    ({ service, changes, startUp }) =>
      (startUp === null ? 0 : greatestService(startUp)) +
      changes.reduce((most, change) => Math.max(most, greatestService(change.service)), greatestService(service)) +
      switchCost +
      groupSwitchCost +
      (network === null ? 0 : limit.longestMessages(network)),
  )
  const served = stages.reduce(
    (sum, { fails }, i) => sum + perJob[i] * (fails === null ? jobs : 2 * jobs + fails.jobs.length * fails.tries),
    0,
  )
  const longest = Math.max(...perJob) * Math.min(jobs, largestBatch({ batch, later }))
  const [joins, crashes, hangs] = (['join', 'crash', 'hang'] as const).map(
    (wanted) => workerEvents.filter(({ kind }) => kind === wanted).length,
  )
  // A hanging worker is waited for ten times as long as the longest batch, and burning workers may share few cores.
  const least = [cores, ...later.map((phase) => phase.cores)].reduce<number>(
    (few, some) => Math.min(few, some ?? workers),
    workers,
  )
  const crowding = Math.max(1, (workers + joins) / least)
  const lost = (crashes + hangs) * longest + hangs * 10 * Math.min(longest * crowding, served)
  const end =
    lastArrival(source) + lastRetry(source) + served + lost + (workerEvents.at(-1)?.at ?? 0) + (later.at(-1)?.at ?? 0)
  // A rate of 0 makes it endless or NaN. That is reported at the rate.
  if (end < limit.CLOCK_END || !Number.isFinite(end)) return []
  return problemAt(
    '',
    t('the run might last {end} seconds; allowed: {CLOCK_END}', {
      end: countText(Math.round(end / 1e6)),
      CLOCK_END: countText(Math.floor(limit.CLOCK_END / 1e6)),
    }),
  )
}
