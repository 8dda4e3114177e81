import type { Link, Problem, Scenario } from './scenario.ts'
import { listed, quoted } from './words.ts'

/** For now links form one line from the source over every stage to the sink. This is what makes, walks and checks it. */

/** The links of a line over the stages in this order. */
export function lineLinks(ids: readonly string[]): Link[] {
  const ends = ['source', ...ids, 'sink']
  return ends.slice(1).map((to, i) => [ends[i], to])
}

/** The ids of the stages in the order in which jobs pass them, from source to sink. */
export function lineOrder(scenario: Pick<Scenario, 'links'>): string[] {
  const next = new Map(scenario.links)
  const ids: string[] = []
  for (let id = next.get('source'); id !== undefined && id !== 'sink' && ids.length <= next.size; id = next.get(id)) ids.push(id)
  return ids
}

/** The numbers of the stages, by which rows and decisions know them, in the order in which jobs pass them. */
export function lineNumbers({ stages, links }: Pick<Scenario, 'stages' | 'links'>): number[] {
  const numbers = new Map(stages.map(({ id }, s) => [id, s]))
  return lineOrder({ links }).flatMap((id) => numbers.get(id) ?? [])
}

/** Why links are no line over the stages, each problem at its link where one link is to blame; none when they are. */
export function lineProblems(ids: readonly string[], links: readonly Link[]): Problem[] {
  const known = new Set(ids)
  const next = new Map<string, string>()
  const before = new Map<string, string>()
  const problems: Problem[] = []
  links.forEach((link, i) => {
    const message = misfit(link, known, next, before)
    if (message !== null) problems.push({ path: `links[${i}]`, message })
    else {
      next.set(link[0], link[1])
      before.set(link[1], link[0])
    }
  })
  // A wrong link leaves gaps behind it: those are named only when every link fits.
  return problems.length > 0 ? problems : [...circles(links, next), ...gaps(ids, next, before)]
}

/** What is wrong with one link, given those before it, or null. */
function misfit([from, to]: Link, known: Set<string>, next: Map<string, string>, before: Map<string, string>): string | null {
  for (const id of [from, to])
    if (!known.has(id) && id !== 'source' && id !== 'sink') return `${quoted(id)} is no stage; link the ids of stages, "source" and "sink"`
  if (to === 'source') return 'nothing leads into the source'
  if (from === 'sink') return 'nothing leads out of the sink'
  if (from === to) return `${quoted(from)} leads to itself: a circle; links must be a line from source to sink`
  const leads = next.get(from)
  const fed = before.get(to)
  if (leads === to) return `the link from ${quoted(from)} to ${quoted(to)} stands here twice`
  if (leads !== undefined) return `a branch: ${quoted(from)} leads to ${quoted(leads)} already; this version plays one line of stages`
  if (fed !== undefined) return `a merging: ${quoted(to)} is fed by ${quoted(fed)} already; this version plays one line of stages`
  return null
}

/** Where each stage has at most one way in and one way out, what can be walked round and round is a circle that touches nothing else. */
function circles(links: readonly Link[], next: Map<string, string>): Problem[] {
  const problems: Problem[] = []
  const seen = new Set(['source', ...lineOrder({ links })])
  links.forEach(([from], i) => {
    const round: string[] = []
    for (let id: string | undefined = from; id !== undefined && !seen.has(id); id = next.get(id)) {
      seen.add(id)
      round.push(id)
    }
    const closing = round.length > 0 && next.get(round[round.length - 1]) === from
    if (closing)
      problems.push({
        path: `links[${i}]`,
        message: `a circle: ${listed(round.slice(0, 5).map(quoted))} lead round to ${quoted(from)}; links must be a line from source to sink`,
      })
    if (closing) for (const id of round) next.set(id, CIRCLE)
  })
  return problems
}

/** Stands as the follower of a stage in a circle, which is reported as such and not once more as a gap. */
const CIRCLE = 'sink'

function gaps(ids: readonly string[], next: Map<string, string>, before: Map<string, string>): Problem[] {
  const problems: Problem[] = []
  if (!next.has('source')) problems.push({ path: 'links', message: 'the source leads nowhere: link it to the first stage' })
  else if (next.get('source') === 'sink') problems.push({ path: 'links', message: 'the source leads straight to the sink: link it to the first stage' })
  for (const id of ids) {
    if (!before.has(id)) problems.push({ path: 'links', message: `stage ${quoted(id)} is not reached: link the source or a stage to it` })
    if (!next.has(id)) problems.push({ path: 'links', message: `stage ${quoted(id)} is a dead end: link it to a stage or to the sink` })
  }
  return problems
}
