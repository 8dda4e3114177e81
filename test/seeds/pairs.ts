import { isDivisorRule } from '../../src/allocation/rules.ts'
import { FAILED, HIRED, JOINED, LOST, STOPPED, THREW } from '../../src/pipeline/rows.ts'
import { isElastic } from '../../src/scenario/model/defaults.ts'
import { policies, policyKinds } from '../../src/scenario/model/policies.ts'
import { play } from './many.ts'
import { type Plan, planOf, roomPlanOf } from './plans.ts'
import type { Game } from './world.ts'

/** How many games had both of two features, by their names in the order of the alphabet, and how many had one (twice the same name). */
export type Pairs = Record<string, number>

/** Pairs that no game can have, each with the reason. */
const impossible: readonly (readonly [one: RegExp, other: RegExp, why: string])[] = [
  [
    /^world plain$/,
    /^(batch (ahead|many|adaptive)|fault (failed|lost|threw)|graph (copy|route)|network (lossy|reliable)|order (buffer|shard)|pool (hires|joins)|queue (ages|full|lifo|priority|shortest)|classes several|clients (leave|retry)|start slow|resource (skip|wait)|phases some)$/,
    'a plain game has plain features only',
  ],
  [/^batch ahead$/, /^order shard$/, 'shards give one batch at a time'],
  [/^order shard$/, /^(queue (ages|lifo|priority|shortest)|resource skip)$/, 'with shards jobs are served in turn'],
  [/^clients (leave|retry)$/, /^(order (buffer|shard))$/, 'a job that its client gives up holds no place in an order'],
]
const elasticKinds = policyKinds.filter((kind) => isElastic({ kind }))
const divisorRules = policyKinds
  .filter((kind) => isDivisorRule(kind) && policies[kind].group !== 'ahead')
  .map((kind) => `policy ${kind}`)
const elastic = (name: string) => elasticKinds.some((kind) => name === `policy ${kind}`)

/** Returns why no game can have both features; null if one can. */
export function whyNever(one: string, other: string): string | null {
  if (one.startsWith('policy ') && /^pool (hires|joins)$/.test(other) && elastic(one) !== (other === 'pool hires'))
    return elastic(one) ? 'a controller hires workers itself' : 'only a controller hires'
  if (one.startsWith('policy ') && other === 'world plain' && !divisorRules.includes(one))
    return 'a plain game has a divisor rule'
  return impossible.find(([a, b]) => (a.test(one) && b.test(other)) || (a.test(other) && b.test(one)))?.[2] ?? null
}

/** Returns the pairs of different dimensions that no game had although one can, by name. */
export function missingPairs(pairs: Pairs): string[] {
  const names = namesIn(pairs)
  return names.flatMap((one, k) =>
    names
      .slice(k + 1)
      .filter(
        (other) =>
          dimensionOf(one) !== dimensionOf(other) &&
          pairs[`${one} & ${other}`] === undefined &&
          whyNever(one, other) === null,
      )
      .map((other) => `${one} & ${other}`),
  )
}

const dimensionOf = (name: string) => name.split(' ')[0]
const namesIn = (pairs: Pairs) => [...new Set(Object.keys(pairs).flatMap((key) => key.split(' & ')))].sort()

/** Returns the table: a line for each feature, a column for each that is not a policy. `-`: it cannot be. */
export function pairsTable(pairs: Pairs): string {
  const rows = namesIn(pairs)
  const columns = rows.filter((name) => dimensionOf(name) !== 'policy')
  const cell = (one: string, other: string) => {
    const [first, second] = [one, other].sort()
    const count = pairs[`${first} & ${second}`] ?? 0
    if (count > 0 || one === other) return String(count)
    return dimensionOf(one) === dimensionOf(other) || whyNever(first, second) !== null ? '-' : '0'
  }
  const heads = columns.map((name, k) => `${k + 1}: ${name}`)
  const width = Math.max(...rows.map(({ length }) => length))
  const line = (head: string, cells: readonly string[]) =>
    `${head.padEnd(width)}${cells.map((each) => each.padStart(7)).join('')}`
  return [
    heads.join(', '),
    line(
      '',
      columns.map((_, k) => String(k + 1)),
    ),
    ...rows.map((row) =>
      line(
        row,
        columns.map((column) => cell(row, column)),
      ),
    ),
  ].join('\n')
}

/** What a game was about: a list of values for each dimension, of its scenario and of what happened in it. */
export function featuresOf(
  plan: Plan,
  {
    scenario,
    referee,
  }: Pick<Game, 'scenario'> & { readonly referee: { readonly rows: readonly { readonly kind: number }[] } },
) {
  const { later, order, network, stages, workerEvents } = scenario
  const kinds = new Set(referee.rows.map(({ kind }) => kind))
  const some = (names: readonly (readonly [kind: number, name: string])[], none: string) => {
    const found = names.filter(([kind]) => kinds.has(kind)).map(([, name]) => name)
    return found.length === 0 ? [none] : found
  }
  const joins = workerEvents.some(({ kind }) => kind === 'join')
  return {
    world: [
      plan.plain ? 'plain' : plan.simulated ? 'simulated' : plan.room ? 'room' : plan.threads ? 'threads' : 'core',
    ],
    policy: [scenario.policy, ...later.flatMap(({ policy }) => policy ?? [])].map(({ kind }) => kind),
    order: [order.kind],
    fault: some(
      [
        [THREW, 'threw'],
        [FAILED, 'failed'],
        [LOST, 'lost'],
        [STOPPED, 'stopped'],
      ],
      'none',
    ),
    batch: [scenario.batch, ...later.flatMap(({ batch }) => batch ?? [])].flatMap(({ size, inHand }) => [
      size === null ? 'adaptive' : size === 1 ? 'one' : 'many',
      ...(inHand > 1 ? ['ahead'] : []),
    ]),
    graph: graphOf(stages, scenario.links),
    network: [network === null ? 'none' : network.loss > 0 ? 'lossy' : 'reliable'],
    pool: some([[HIRED, 'hires']], joins && kinds.has(JOINED) ? 'joins' : 'fixed'),
    queue: stages.flatMap(({ discipline, ageing, capacity }) => [
      discipline === 'priority' && ageing !== null ? 'ages' : discipline,
      ...(capacity === null ? [] : ['full']),
    ]),
    classes: [scenario.source.classes === undefined ? 'one' : 'several'],
    clients: [scenario.source.retry === undefined ? 'patient' : scenario.source.retry.limit > 0 ? 'retry' : 'leave'],
    start: [stages.some(({ startUp }) => startUp !== null) ? 'slow' : 'ready'],
    resource: stages.map(({ resource, whenTaken }) => (resource === null ? 'free' : whenTaken)),
    phases: [later.length > 0 ? 'some' : 'none'],
  }
}

function graphOf(stages: Game['scenario']['stages'], links: Game['scenario']['links']): string[] {
  const ways = stages.filter(({ id }) => links.filter(([from]) => from === id).length > 1)
  if (ways.length === 0) return ['line']
  return ways.map(({ fanOut }) => (fanOut === 'copy' ? 'copy' : 'route'))
}

/** Plays the games of the seeds from `from` on, every seventh in a room, and counts their features in pairs. */
export async function countPairs(from: number, count: number): Promise<Pairs> {
  const pairs: Pairs = {}
  for (let seed = from; seed < from + count; seed++) {
    const plan = seed % 7 === 0 ? roomPlanOf(seed) : planOf(seed)
    addPairs(pairs, featuresOf(plan, await play(plan)))
  }
  return pairs
}

/** Adds what another process counted. */
export function joinPairs(pairs: Pairs, more: Pairs): void {
  for (const [key, count] of Object.entries(more)) pairs[key] = (pairs[key] ?? 0) + count
}

export function addPairs(pairs: Pairs, features: Readonly<Record<string, readonly string[]>>): void {
  const names = [
    ...new Set(
      Object.entries(features).flatMap(([dimension, values]) => values.map((value) => `${dimension} ${value}`)),
    ),
  ].sort()
  for (const [k, one] of names.entries())
    for (const other of names.slice(k)) pairs[`${one} & ${other}`] = (pairs[`${one} & ${other}`] ?? 0) + 1
}
