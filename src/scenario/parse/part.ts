import { t } from '../../language/translate.ts'
import { freshId, newStageName, withWiring } from '../edit/edits.ts'
import { rewired } from '../graph/graph.ts'
import { MAX_JOBS, MAX_NAME, MAX_STAGES, MAX_TEXT } from '../model/limits.ts'
import { askable } from '../model/policies.ts'
import { type Link, type Micros, type Problem, SCENARIO_VERSION, type Scenario, type Stage } from '../model/scenario.ts'
import { lengthText, listedTwice, unknownStage } from '../model/words.ts'
import { checked } from './checked.ts'
import { withoutGone } from './gone.ts'
import { parseJson } from './json.ts'
import { parse, parseDraft } from './parse.ts'
import { boolean, checkName, checkPolicy, checkVersion, micros, workerCount } from './schemaParts.ts'
import { checkList, checkRecord, checkWhole, defaulted, isPlainObject } from './shape.ts'

/** A part of a pipeline as text, for copy and paste: some stages and the links among them, spelled as in a scenario. */
interface Part {
  readonly stages: readonly Stage[]
  readonly links: readonly Link[]
}

/** Returns a part, or the stages of a whole scenario, or the problems as `parse` does. */
export function readPart(text: string): Part | { readonly problems: readonly Problem[] } {
  const wrong = (message: string, path = '') => ({
    problems: [{ path, message: t('{message} (in what was pasted)', { message }) }],
  })
  if (text.length > MAX_TEXT) return wrong(lengthText(text.length, MAX_TEXT))
  let json: unknown
  try {
    json = parseJson(text)
  } catch {
    json = null
  }
  if (!isPlainObject(json) || !Object.hasOwn(json as object, 'stages'))
    return wrong(t('not a part of a pipeline; allowed: JSON, {form}', { form: '{ "stages": [...], "links": [...] }' }))
  const given = withoutGone(json as Readonly<Record<string, unknown>>).scenario
  // The part is read inside a scenario with groups, which allows every stage.
  const { version, stages: listed, links: linked } = given
  const around = Object.hasOwn(given, 'version')
    ? { version, stages: listed, links: linked }
    : { version: 1, links: [], ...given }
  const drawn = parseDraft({ ...around, workers: 1, source: { kind: 'groups', groups: [1] } })
  if ('problems' in drawn)
    return {
      problems: drawn.problems.map(({ message, path, ...rest }) => ({
        ...wrong(message, path).problems[0],
        ...rest,
      })),
    }
  const { stages, links } = drawn.scenario
  const ids = new Set(stages.map(({ id }) => id))
  const among = links.filter((link) => !link.includes('source') && !link.includes('sink'))
  const seen = new Set<string>()
  for (const link of among) {
    const unknown = link.find((id) => !ids.has(id))
    if (unknown !== undefined) return wrong(unknownStage(unknown), 'links')
    if (seen.has(link.join(' '))) return wrong(listedTwice(...link), 'links')
    seen.add(link.join(' '))
  }
  return { stages, links: among }
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
      return {
        ...stage,
        fanOut: {
          route: Object.fromEntries(Object.entries(stage.fanOut.route).map(([to, weight]) => [renamed(to), weight])),
        },
      }
    }),
    [...scenario.links, ...part.links.map(([from, to]): Link => [renamed(from), renamed(to)])],
  )
  return { scenario: withWiring(scenario, drawing), ids: [...added] }
}

/** Returns the name or, if it is taken, the name with the least free number: `Parse 2`. */
function freshName(name: string, stages: readonly Stage[]): string {
  const taken = new Set(stages.map((stage) => stage.name))
  const plain = name.replace(/ \d+$/, '')
  for (let n = 2; taken.has(name); n++) name = `${[...plain].slice(0, MAX_NAME - 5).join('')} ${n}`
  return name
}

/**
 * A decision without a run: how would a policy seat these workers, with these jobs waiting? As JSON: { "version": 1, "workers": 8, "policy":
 * { "kind": "leastScore" }, "stages": [{ "name": "A", "waiting": 900, "mean": 1000, "done": true }] }, with `mean` in microseconds. A tie goes to the
 * stage that is listed first.
 */
export interface DecisionQuestion {
  /** The policy, workers and stages as a scenario, so that everything that shows a decision can show this one. */
  readonly scenario: Scenario
  readonly asked: readonly ParsedQuestion[]
}

export type ParsedQuestion = { readonly waiting: number; readonly mean: Micros; readonly done: boolean }

export const QUESTION_VERSION = 1

export type QuestionRead = { readonly question: DecisionQuestion } | { readonly problems: readonly Problem[] }

const questionCheck = checkRecord({
  version: checkVersion(QUESTION_VERSION),
  workers: workerCount,
  policy: defaulted(checkPolicy(askable), { kind: 'leastScore', lend: true }),
  stages: checkList(
    checkRecord({
      name: checkName(1),
      waiting: checkWhole(0, MAX_JOBS),
      mean: micros(1),
      done: defaulted(boolean, false),
    }),
    MAX_STAGES,
    1,
  ),
})

/** Returns the question or its problems. Strict; never throws on plain JSON. */
export function parseQuestion(input: unknown): QuestionRead {
  const read = checked(questionCheck, input)
  if ('problems' in read) return read
  const { workers, policy, stages } = read.value
  const parsed = parse({
    version: SCENARIO_VERSION,
    title: t('A question'),
    source: { kind: 'batch', jobs: 0 },
    stages: stages.map((stage, s) => ({
      id: idOf(s),
      name: stage.name,
      service: { kind: 'constant', mean: stage.mean },
    })),
    workers,
    policy,
  })
  return 'problems' in parsed
    ? parsed
    : {
        question: {
          scenario: parsed.scenario,
          asked: stages.map(({ waiting, mean, done }) => ({ waiting, mean, done })),
        },
      }
}

/** Returns the question as plain JSON, for a link. */
export function plainQuestion({ scenario, asked }: DecisionQuestion): object {
  const { stages, workers, policy } = scenario
  return {
    version: QUESTION_VERSION,
    workers,
    policy: { kind: policy.kind, ...(policy.kind === 'power' && { p: policy.p }) },
    stages: asked.map(({ waiting, mean, done }, s) => ({ name: stages[s].name, waiting, mean, ...(done && { done }) })),
  }
}

/** Ids in the order of the list, which settles ties. */
function idOf(s: number): string {
  return `s${String(s + 1).padStart(3, '0')}`
}
