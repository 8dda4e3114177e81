import { t } from '../../language/translate.ts'
import { isLinear, orderOf } from '../model/linearStages.ts'
import type { FanOut, Join, Link, Problem } from '../model/scenario.ts'
import { quoted } from '../model/words.ts'

/** At `merge`, no two links may carry parts of the same job; at `all`, a job passes all links or none. Exact, in O(links^2). The sink accepts anything. */
export interface PartStage {
  readonly id: string
  /** The weights of a route do not matter here. */
  readonly fanOut: 'copy' | { readonly route: unknown }
  readonly join: Join
}

/** Returns a problem for each wrong join. The links must have passed `linkProblems`. */
export function partProblems(stages: readonly PartStage[], links: readonly Link[]): Problem[] {
  return findWrongJoins(stages, links).map(({ stage, message }) => ({ path: `stages[${stage}].join`, message }))
}

/** Returns the stages whose join is wrong, by number, in the order in which jobs pass them. Stages after a wrong one are not checked. */
export function findWrongJoins(
  stages: readonly PartStage[],
  links: readonly Link[],
): { readonly stage: number; readonly message: string }[] {
  // Most pipelines are linear, and those are never wrong.
  // Stryker disable next-line ConditionalExpression: the rest finds nothing wrong in a line either, only later
  if (isLinear({ links })) return []
  const net = netOf(stages, links)
  const together = meetings(net)
  const shares = passing(net)
  const wrong = new Uint8Array(net.ids.length)
  return net.into.flatMap((ways, node) => {
    wrong[node] = ways.some((way) => wrong[net.from[way]] === 1) ? 1 : 0
    if (ways.length < 2 || node === net.sink || wrong[node] === 1) return []
    const message = net.all[node] === 1 ? incomplete(net, node, shares) : clash(net, node, together)
    if (message === null) return []
    wrong[node] = 1
    return [{ stage: stages.findIndex(({ id }) => id === net.ids[node]), message }]
  })
}

/** Whether a job may reach the sink in several parts. The links and joins must have passed `parse`. */
export function leavesInParts(
  stages: readonly { readonly id: string; readonly fanOut: FanOut; readonly join: Join }[],
  links: readonly Link[],
): boolean {
  if (isLinear({ links })) return false
  const net = netOf(stages, links)
  return net.into[net.sink].length > 1 && clash(net, net.sink, meetings(net)) !== null
}

/** The graph in numbers. Node 0 is the source, the last is the sink, and each node comes after all that feed it. A way is the number of a link. */
interface Net {
  readonly ids: readonly string[]
  readonly sink: number
  readonly from: readonly number[]
  readonly into: readonly (readonly number[])[]
  readonly outOf: readonly (readonly number[])[]
  /** By node: `routes` is 1 where a job takes one of several ways, `all` where all parts are waited for. */
  readonly routes: Uint8Array
  readonly all: Uint8Array
}

function netOf(stages: readonly PartStage[], links: readonly Link[]): Net {
  const order = orderOf(
    stages.map(({ id }) => id),
    links,
  )
  const ids = ['source', ...order, 'sink']
  const place = new Map(ids.map((id, i) => [id, i]))
  const at = (id: string) => place.get(id) ?? 0
  const into: number[][] = ids.map(() => [])
  const outOf: number[][] = ids.map(() => [])
  links.forEach(([from, to], way) => {
    into[at(to)].push(way)
    outOf[at(from)].push(way)
  })
  const routes = new Uint8Array(ids.length)
  const all = new Uint8Array(ids.length)
  for (const { id, fanOut, join } of stages) {
    routes[at(id)] = fanOut !== 'copy' && outOf[at(id)].length > 1 ? 1 : 0
    all[at(id)] = join === 'all' ? 1 : 0
  }
  return { ids, sink: ids.length - 1, from: links.map(([from]) => at(from)), into, outOf, routes, all }
}

type Together = (a: number, b: number) => boolean

/** Whether one job's parts may pass two ways. met[node][way]: one part may reach the node while another passes an earlier way. Any way into the node suffices. */
function meetings({ ids, from, into, routes }: Net): Together {
  const ways = from.length
  const met = new Uint8Array(ids.length * ways)
  const together = (a: number, b: number): boolean => {
    if (a === b) return true
    if (from[a] === from[b]) return routes[from[a]] === 0
    return from[a] > from[b] ? met[from[a] * ways + b] === 1 : met[from[b] * ways + a] === 1
  }
  // Plain loops over numbers: 1,024 links mean a million iterations at every edit.
  for (let node = 1; node < ids.length; node++) {
    const own = into[node]
    for (let way = 0; way < ways; way++) {
      if (from[way] >= node) continue
      for (let k = 0; k < own.length; k++) {
        if (!together(own[k], way)) continue
        met[node * ways + way] = 1
        break
      }
    }
  }
  return together
}

function clash({ ids, from, into }: Net, node: number, together: Together): string | null {
  const ways = into[node]
  for (const [k, a] of ways.entries())
    for (const b of ways.slice(0, k))
      if (together(a, b))
        return t('found "merge", but copies of a job may meet here from {ids} and {ids2}; allowed: "all"', {
          ids: quoted(ids[from[b]]),
          ids2: quoted(ids[from[a]]),
        })
  return null
}

/** The greatest prime below 2^26, so that products of two remainders are exact. */
const PRIME = 67_108_859
const ROUNDS = 4

/** Returns each way's share of jobs for random routes modulo a prime, four times: equal for equal jobs; an error is below 2^-70 (Schwartz 1980). */
function passing({ ids, into, outOf, routes, all }: Net): readonly Float64Array[] {
  return Array.from({ length: ROUNDS }, (_, round) => {
    const share = new Float64Array(into.reduce((sum, ways) => sum + ways.length, 0))
    for (let node = 0; node < ids.length; node++) {
      let here = node === 0 ? 1 : 0
      for (const way of all[node] === 1 ? into[node].slice(0, 1) : into[node]) here = (here + share[way]) % PRIME
      let left = 1
      outOf[node].forEach((way, k) => {
        const part = k === outOf[node].length - 1 ? left : scrambled((round * 1024 + way) * 512 + node) % PRIME
        left = (left + PRIME - part) % PRIME
        share[way] = routes[node] === 1 ? (here * part) % PRIME : here
      })
    }
    return share
  })
}

/** Returns 32 bits that look unrelated for neighbouring numbers: the finaliser of MurmurHash3 (Appleby 2011). */
function scrambled(number: number): number {
  let x = Math.imul(number + 1, 0x9e3779b1)
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}

function incomplete({ ids, from, into }: Net, node: number, shares: readonly Float64Array[]): string | null {
  const [first, ...others] = into[node]
  const odd = others.find((way) => shares.some((share) => share[way] !== share[first]))
  if (odd === undefined) return null
  return t('found "all", but not every job from {ids} also comes from {ids2}; allowed: "merge"', {
    ids: quoted(ids[from[first]]),
    ids2: quoted(ids[from[odd]]),
  })
}
