import { t } from '../../language/translate.ts'
import { MAX_PROBLEMS } from '../model/limits.ts'
import { ordered, waysOf } from '../model/linearStages.ts'
import type { FanOut, Link, Problem, Scenario, Stage } from '../model/scenario.ts'
import { listed, listedTwice, quoted, unknownStage } from '../model/words.ts'
import { findWrongJoins, partProblems } from './partProblems.ts'

/** Returns the problems of links, which must form an acyclic graph from the source over every stage to the sink. Joins: see partProblems.ts. */
export function linkProblems(ids: readonly string[], links: readonly Link[]): Problem[] {
  const known = new Set([...ids, 'source', 'sink'])
  const seen = new Set<string>()
  const problems: Problem[] = []
  links.forEach((link, i) => {
    const message = linkProblem(link, known, seen)
    if (message !== null) problems.push({ path: `links[${i}]`, message })
    seen.add(link.join(' '))
  })
  // Wrong links leave gaps, so gaps are reported only when every link fits.
  return problems.length > 0 ? problems : [...mixedLinks(links), ...cycles(ids, links), ...gaps(ids, links)]
}

/** Returns the problem of one link, given those before it, or null. */
function linkProblem(link: Link, known: ReadonlySet<string>, seen: ReadonlySet<string>): string | null {
  const [from, to] = link
  for (const id of link) if (!known.has(id)) return unknownStage(id)
  if (to === 'source' || from === 'sink' || from === to || (from === 'source' && to === 'sink'))
    return t('{from} cannot lead to {to}', { from: quoted(from), to: quoted(to) })
  return seen.has(link.join(' ')) ? listedTwice(...link) : null
}

/** A source link and a stage link cannot enter the same stage, nor a sink link and a stage link leave it. */
function mixedLinks(links: readonly Link[]): Problem[] {
  const next = new Map<string, string>()
  const before = new Map<string, string>()
  const problems: Problem[] = []
  links.forEach(([from, to], i) => {
    const check = (id: string, first: string | undefined, other: string, end: 'source' | 'sink') => {
      if (first === undefined || (first === end) === (other === end)) return
      const [one, two] = [quoted(first), quoted(other)]
      const message = t('{id} is linked to {one} and {two}; allowed: {end} alone, or stages', {
        id: quoted(id),
        one,
        two,
        end: quoted(end),
      })
      problems.push({ path: `links[${i}]`, message })
    }
    if (from !== 'source') check(from, next.get(from), to, 'sink')
    if (to !== 'sink') check(to, before.get(to), from, 'source')
    next.set(from, next.get(from) ?? to)
    before.set(to, before.get(to) ?? from)
  })
  return problems
}

const VISITING = 1
const VISITED = 2

/** Returns a problem for each link that closes a cycle, with the stages of the cycle. */
function cycles(ids: readonly string[], links: readonly Link[]): Problem[] {
  const ways = new Map<string, { readonly to: string; readonly i: number }[]>(ids.map((id) => [id, []]))
  links.forEach(([from, to], i) => {
    ways.get(from)?.push({ to, i })
  })
  const visited = new Map<string, number>()
  const way: string[] = []
  const problems: Problem[] = []
  const visit = (id: string): void => {
    visited.set(id, VISITING)
    way.push(id)
    for (const { to, i } of ways.get(id) ?? []) {
      if (visited.get(to) === undefined) visit(to)
      else if (visited.get(to) === VISITING && problems.length <= MAX_PROBLEMS)
        problems.push({ path: `links[${i}]`, message: cycleMessage(way.slice(way.indexOf(to))) })
    }
    way.pop()
    visited.set(id, VISITED)
  }
  for (const id of ids) if (!visited.has(id)) visit(id)
  return problems
}

function cycleMessage(round: readonly string[]): string {
  const names = round.slice(0, 8).map(quoted)
  if (round.length > names.length) names.push('...')
  return t('a cycle: {names} lead back to {round}', { names: listed(names), round: quoted(round[0]) })
}

/** Without cycles it is enough that each stage has a link in and a link out. */
function gaps(ids: readonly string[], links: readonly Link[]): Problem[] {
  const from = new Set(links.map(([id]) => id))
  const to = new Set(links.map(([, id]) => id))
  const problems: Problem[] = []
  const entered = from.has('source')
  if (!entered) problems.push({ path: 'links', message: t('the source leads nowhere') })
  ids.forEach((id, i) => {
    const path = `stages[${i}]`
    if (entered && !to.has(id)) problems.push({ path, message: t('stage {id} is not reached', { id: quoted(id) }) })
    if (!from.has(id)) problems.push({ path, message: t('stage {id} is a dead end', { id: quoted(id) }) })
  })
  return problems
}

/** Changes of links may leave a pipeline that `parse` refuses. Weights of routes follow; joins change where that alone keeps it valid. */
export type Wiring = Pick<Scenario, 'stages' | 'links'>

/** Returns the weight of a new link: the average of the others. */
function usualWeight(route: Readonly<Record<string, number>>): number {
  const weights = Object.values(route)
  return weights.length === 0 ? 1 : weights.reduce((a, b) => a + b, 0) / weights.length
}

export function isSound({ stages, links }: Wiring): boolean {
  const ids = stages.map(({ id }) => id)
  return linkProblems(ids, links).length === 0 && partProblems(stages, links).length === 0
}

/** Returns the links in normal order, and routes with exactly one weight for each of their links. */
export function rewired(stages: readonly Stage[], links: readonly Link[]): Wiring {
  const ids = stages.map(({ id }) => id)
  const place = new Map(ids.map((id, i) => [id, i]))
  const ways = waysOf(links).next
  return {
    stages: stages.map((stage) => {
      if (stage.fanOut === 'copy') return stage
      const { route } = stage.fanOut
      const next = (ways.get(stage.id) ?? [])
        .filter((to) => place.has(to))
        .sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0))
      if (next.length < 2) return { ...stage, fanOut: 'copy' }
      if (next.length === Object.keys(route).length && next.every((to) => Object.hasOwn(route, to))) return stage
      const usual = usualWeight(route)
      return {
        ...stage,
        fanOut: { route: Object.fromEntries(next.map((to) => [to, Object.hasOwn(route, to) ? route[to] : usual])) },
      }
    }),
    links: ordered(ids, links),
  }
}

/** Returns the wiring, with wrong joins switched if that makes it valid. */
export function withSoundJoins(wiring: Wiring): Wiring {
  const ids = wiring.stages.map(({ id }) => id)
  if (linkProblems(ids, wiring.links).length > 0) return wiring
  const tried = new Set<number>()
  let { stages } = wiring
  for (;;) {
    const [wrong] = findWrongJoins(stages, wiring.links)
    if (wrong === undefined) return { stages, links: wiring.links }
    if (tried.has(wrong.stage)) return wiring
    tried.add(wrong.stage)
    stages = stages.map((stage, i) =>
      i === wrong.stage ? { ...stage, join: stage.join === 'all' ? 'merge' : 'all' } : stage,
    )
  }
}

/** Adds a link. If the stage led only to the sink, that link is removed. */
export function withLink({ stages, links }: Wiring, [from, to]: Link): Wiring {
  const kept = links.filter((link) => link[0] !== from || link[1] !== 'sink')
  return withSoundJoins(rewired(stages, [...kept, [from, to]]))
}

/** Removes a link. A stage without links out then leads to the sink. */
export function withoutLink({ stages, links }: Wiring, [from, to]: Link): Wiring {
  const kept = links.filter((link) => link[0] !== from || link[1] !== to)
  const completed =
    from === 'source' || to === 'sink' || kept.some((link) => link[0] === from)
      ? kept
      : [...kept, [from, 'sink'] as const]
  return withSoundJoins(rewired(stages, completed))
}

/** Puts a new stage on a link. The first half keeps the weight of the link. */
export function withStageOn({ stages, links }: Wiring, [from, to]: Link, added: Stage): Wiring {
  const through = links.flatMap((link): readonly Link[] =>
    link[0] === from && link[1] === to
      ? [
          [from, added.id],
          [added.id, to],
        ]
      : [link],
  )
  return rewired(
    [
      ...stages.map((stage) => (stage.id === from ? { ...stage, fanOut: renamed(stage.fanOut, to, added.id) } : stage)),
      added,
    ],
    through,
  )
}

/** Puts a new stage after another or after the source. It takes over all successors and the fan-out. */
export function withStageBehind({ stages, links }: Wiring, after: string, added: Stage): Wiring {
  const before = stages.find(({ id }) => id === after)
  const taking: Stage = { ...added, fanOut: before?.fanOut ?? 'copy' }
  const moved = links.map((link): Link => (link[0] === after ? [added.id, link[1]] : link))
  return rewired(
    [...stages.map((stage) => (stage.id === after ? { ...stage, fanOut: 'copy' as const } : stage)), taking],
    [...moved, [after, added.id]],
  )
}

/** Puts a new stage parallel to another, with the same feeders (or only one of them), successors and weights. */
export function withStageBeside(
  { stages, links }: Wiring,
  id: string,
  added: Stage,
  feeder: string | null = null,
): Wiring {
  const feeds = (from: string) => feeder === null || feeder === from
  const mirrored = links.flatMap((link): readonly Link[] =>
    link[0] === id
      ? [link, [added.id, link[1]]]
      : link[1] === id && feeds(link[0])
        ? [link, [link[0], added.id]]
        : [link],
  )
  const weighed = stages.map((stage) =>
    stage.fanOut !== 'copy' && feeds(stage.id) && Object.hasOwn(stage.fanOut.route, id)
      ? { ...stage, fanOut: { route: { ...stage.fanOut.route, [added.id]: stage.fanOut.route[id] } } }
      : stage,
  )
  return withSoundJoins(
    rewired([...weighed, { ...added, fanOut: stages.find((stage) => stage.id === id)?.fanOut ?? 'copy' }], mirrored),
  )
}

/** Removes a stage. If the pipeline is then invalid, links its feeders to its successors. If that is invalid too, the gap stays. */
export function withoutStage({ stages, links }: Wiring, id: string): Wiring {
  const rest = stages.filter((stage) => stage.id !== id)
  const kept = links.filter((link) => !link.includes(id))
  const cut = withSoundJoins(rewired(rest, kept))
  if (isSound(cut)) return cut
  const closed = withSoundJoins(closedOver({ stages, links }, id, rest, kept))
  return isSound(closed) ? closed : cut
}

function closedOver({ stages, links }: Wiring, id: string, rest: readonly Stage[], kept: readonly Link[]): Wiring {
  const before = links.flatMap(([from, to]) => (to === id ? [from] : []))
  const next = links.flatMap(([from, to]) => (from === id ? [to] : []))
  const closing = before.flatMap((from) =>
    next.filter((to) => !kept.some((link) => link[0] === from && link[1] === to)).map((to): Link => [from, to]),
  )
  const handedOn = rest.map((stage) => {
    if (!before.includes(stage.id)) return stage
    // A stage that led only here takes over the fan-out.
    if (!kept.some(([from]) => from === stage.id))
      return { ...stage, fanOut: stages.find((each) => each.id === id)?.fanOut ?? 'copy' }
    return next.length === 1 ? { ...stage, fanOut: renamed(stage.fanOut, id, next[0]) } : stage
  })
  return rewired(handedOn, [...kept, ...closing])
}

/** Moves a weight to another successor, and adds it to the existing weight. */
function renamed(fanOut: FanOut, from: string, to: string): FanOut {
  if (fanOut === 'copy' || !Object.hasOwn(fanOut.route, from)) return fanOut
  const { [from]: weight, ...rest } = fanOut.route
  return { route: { ...rest, [to]: weight + (Object.hasOwn(rest, to) ? rest[to] : 0) } }
}
