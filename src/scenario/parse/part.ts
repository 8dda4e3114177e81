import { t } from '../../language/translate.ts'
import { freshId, newStageName, withWiring } from '../edit/edits.ts'
import { rewired } from '../graph/graph.ts'
import { MAX_NAME, MAX_TEXT } from '../model/limits.ts'
import type { Hidden, Link, Problem, Scenario, Stage } from '../model/scenario.ts'
import { countText, quoted } from '../model/words.ts'
import { parseJson } from './json.ts'
import { parseDraft } from './parse.ts'
import { isPlainObject } from './shape.ts'

/** A part of a pipeline as text, for copy and paste: some stages and the links among them, spelled as in a scenario. */
interface Part {
  readonly stages: readonly Stage[]
  readonly links: readonly Link[]
  readonly hidden: readonly Hidden[]
}

/** Returns a part, or the stages of a whole scenario, or the problems as `parse` does. */
export function readPart(text: string): Part | { readonly problems: readonly Problem[] } {
  const wrong = (message: string, path = '') => ({ problems: [{ path, message: t('{message} (in what was pasted)', { message }) }] })
  if (text.length > MAX_TEXT)
    return wrong(t('found a text of {length} characters; allowed: {MAX_TEXT}', { length: countText(text.length), MAX_TEXT: countText(MAX_TEXT) }))
  let json: unknown
  try {
    json = parseJson(text)
  } catch {
    json = null
  }
  if (!isPlainObject(json) || !Object.hasOwn(json as object, 'stages'))
    return wrong(t('this is not a part of a pipeline; allowed: JSON, {form}', { form: '{ "stages": [...], "links": [...] }' }))
  const given = json as Readonly<Record<string, unknown>>
  // The part is read inside a scenario with groups, which allows every stage.
  const { version, stages: listed, links: linked, hidden: sealed } = given
  const secrets = Array.isArray(sealed) ? { hidden: sealed.filter((secret) => !isPlainObject(secret) || secret.kind !== 'policy') } : {}
  const around = Object.hasOwn(given, 'version') ? { version, stages: listed, links: linked, ...secrets } : { version: 1, links: [], ...given }
  const drawn = parseDraft({ ...around, workers: 1, source: { kind: 'groups', groups: [1] } })
  if ('problems' in drawn)
    return { problems: drawn.problems.map((problem) => ({ ...problem, message: t('{message} (in what was pasted)', { message: problem.message }) })) }
  const { stages, links, hidden } = drawn.scenario
  const ids = new Set(stages.map(({ id }) => id))
  const among = links.filter((link) => !link.includes('source') && !link.includes('sink'))
  const seen = new Set<string>()
  for (const link of among) {
    const unknown = link.find((id) => !ids.has(id))
    if (unknown !== undefined) return wrong(t('{strange} is not a stage; link the ids of the stages', { strange: quoted(unknown) }), 'links')
    if (seen.has(link.join(' '))) return wrong(t('the link from {link} to {link2} is listed twice', { link: quoted(link[0]), link2: quoted(link[1]) }), 'links')
    seen.add(link.join(' '))
  }
  return { stages, links: among, hidden }
}

/** Adds a part under new ids and, where names are taken, new names. Returns the new ids. It is not linked to other stages yet. */
export function withPart(
  scenario: Scenario,
  part: Part,
  shift: { readonly x: number; readonly y: number },
): { readonly scenario: Scenario; readonly ids: readonly string[] } {
  const ids = new Map<string, string>()
  const stages = [...scenario.stages]
  const grouped = scenario.source.kind === 'groups'
  for (const stage of part.stages) {
    const id = freshId(stages)
    ids.set(stage.id, id)
    const position = stage.position === null ? null : { x: stage.position.x + shift.x, y: stage.position.y + shift.y }
    const name = stage.name === newStageName(stage.id) ? newStageName(id) : freshName(stage.name, stages)
    stages.push({ ...stage, id, name, position, resource: grouped ? stage.resource : null })
  }
  const renamed = (id: string) => ids.get(id) ?? id
  const added = new Set(ids.values())
  const drawing = rewired(
    stages.map((stage) => {
      if (!added.has(stage.id) || stage.fanOut === 'copy') return stage
      return { ...stage, fanOut: { route: Object.fromEntries(Object.entries(stage.fanOut.route).map(([to, weight]) => [renamed(to), weight])) } }
    }),
    [...scenario.links, ...part.links.map(([from, to]): Link => [renamed(from), renamed(to)])],
  )
  const hidden = part.hidden.map((secret) => (secret.kind === 'service' ? { ...secret, stage: renamed(secret.stage) } : secret))
  return { scenario: { ...withWiring(scenario, drawing), hidden: [...scenario.hidden, ...hidden] }, ids: [...added] }
}

/** Returns the name or, if it is taken, the name with the least free number: `Parse 2`. */
function freshName(name: string, stages: readonly Stage[]): string {
  const taken = new Set(stages.map((stage) => stage.name))
  const plain = name.replace(/ \d+$/, '')
  for (let n = 2; taken.has(name); n++) name = `${[...plain].slice(0, MAX_NAME - 5).join('')} ${n}`
  return name
}
