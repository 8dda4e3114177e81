import { t } from '../../language/translate.ts'
import { MAX_PROBLEMS } from '../model/limits.ts'
import type { Link, Problem } from '../model/scenario.ts'
import { listed, quoted } from '../model/words.ts'

/**
 * Returns what keeps links from forming a pipeline: a graph over all stages, without cycles, in which the source reaches every stage
 * and every stage leads to the sink. The parts of jobs in it are checked in partProblems.ts.
 */
export function linkProblems(ids: readonly string[], links: readonly Link[]): Problem[] {
  const known = new Set([...ids, 'source', 'sink'])
  const seen = new Set<string>()
  const problems: Problem[] = []
  links.forEach((link, i) => {
    const message = misfit(link, known, seen)
    if (message !== null) problems.push({ path: `links[${i}]`, message })
    seen.add(link.join(' '))
  })
  // Wrong links leave gaps, so gaps are reported only when every link fits.
  return problems.length > 0 ? problems : [...mixtures(links), ...circles(ids, links), ...gaps(ids, links)]
}

/** Returns what is wrong with one link, given those before it, or null. */
function misfit(link: Link, known: ReadonlySet<string>, seen: ReadonlySet<string>): string | null {
  const [from, to] = link
  for (const id of link) if (!known.has(id)) return t('{id} is no stage; link the ids of stages, "source" and "sink"', { id: quoted(id) })
  if (to === 'source') return t('nothing leads into the source')
  if (from === 'sink') return t('nothing leads out of the sink')
  if (from === to) return t('{from} leads to itself: a circle; links must lead from the source to the sink', { from: quoted(from) })
  if (from === 'source' && to === 'sink') return t('the source leads straight to the sink: link it to the first stage')
  return seen.has(link.join(' ')) ? t('the link from {from} to {to} stands here twice', { from: quoted(from), to: quoted(to) }) : null
}

/** A source link and a stage link cannot enter the same stage, nor a sink link and a stage link leave it. */
function mixtures(links: readonly Link[]): Problem[] {
  const next = new Map<string, string>()
  const before = new Map<string, string>()
  const problems: Problem[] = []
  links.forEach(([from, to], i) => {
    const other = next.get(from)
    const feeder = before.get(to)
    if (other !== undefined && from !== 'source' && (other === 'sink') !== (to === 'sink'))
      problems.push({
        path: `links[${i}]`,
        message: t('{from} leads to {other} already, and here to {to}; allowed: the sink alone, or stages, one of which leads on to the sink', {
          from: quoted(from),
          other: quoted(other),
          to: quoted(to),
        }),
      })
    if (feeder !== undefined && to !== 'sink' && (feeder === 'source') !== (from === 'source'))
      problems.push({
        path: `links[${i}]`,
        message: t('{to} is fed by {feeder} already, and here by {from}; allowed: the source alone, or stages', {
          to: quoted(to),
          feeder: quoted(feeder),
          from: quoted(from),
        }),
      })
    next.set(from, other ?? to)
    before.set(to, feeder ?? from)
  })
  return problems
}

const ON_THE_WAY = 1
const OVER = 2

/** Returns a problem for each link that closes a cycle, with the stages of the cycle. */
function circles(ids: readonly string[], links: readonly Link[]): Problem[] {
  const ways = new Map<string, { readonly to: string; readonly i: number }[]>(ids.map((id) => [id, []]))
  links.forEach(([from, to], i) => {
    ways.get(from)?.push({ to, i })
  })
  const visited = new Map<string, number>()
  const way: string[] = []
  const problems: Problem[] = []
  const visit = (id: string): void => {
    visited.set(id, ON_THE_WAY)
    way.push(id)
    for (const { to, i } of ways.get(id) ?? []) {
      if (visited.get(to) === undefined) visit(to)
      else if (visited.get(to) === ON_THE_WAY && problems.length <= MAX_PROBLEMS)
        problems.push({ path: `links[${i}]`, message: circle(way.slice(way.indexOf(to))) })
    }
    way.pop()
    visited.set(id, OVER)
  }
  for (const id of ids) if (!visited.has(id)) visit(id)
  return problems
}

function circle(round: readonly string[]): string {
  const names = round.slice(0, 8).map(quoted)
  if (round.length > names.length) names.push(t('{length} more', { length: round.length - names.length }))
  return t('a circle: {names} lead round to {round}; links must lead from the source to the sink', { names: listed(names), round: quoted(round[0]) })
}

/** Without cycles it is enough that each stage has a link in and a link out. */
function gaps(ids: readonly string[], links: readonly Link[]): Problem[] {
  const from = new Set(links.map(([id]) => id))
  const to = new Set(links.map(([, id]) => id))
  const problems: Problem[] = []
  const entered = from.has('source')
  if (!entered) problems.push({ path: 'links', message: t('the source leads nowhere: link it to the first stage') })
  ids.forEach((id, i) => {
    if (entered && !to.has(id))
      problems.push({ path: `stages[${i}]`, message: t('stage {id} is not reached: link the source or a stage to it', { id: quoted(id) }) })
    if (!from.has(id)) problems.push({ path: `stages[${i}]`, message: t('stage {id} is a dead end: link it to a stage or to the sink', { id: quoted(id) }) })
  })
  return problems
}
