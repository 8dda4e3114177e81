import { t } from '../../language/translate.ts'
import { MAX_JOBS, MAX_STAGES } from '../model/limits.ts'
import { askable } from '../model/policies.ts'
import { type Micros, type Problem, SCENARIO_VERSION, type Scenario } from '../model/scenario.ts'
import { checked } from './checked.ts'
import { parse } from './parse.ts'
import { boolean, checkName, checkPolicy, checkVersion, micros, workerCount } from './schemaParts.ts'
import { checkList, checkRecord, checkWhole, defaulted } from './shape.ts'

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

const questionCheck = checkRecord(() => t('an object, the question'), {
  version: checkVersion(QUESTION_VERSION),
  workers: workerCount,
  policy: defaulted(checkPolicy(askable), { kind: 'leastScore', lend: true }),
  stages: checkList(
    checkRecord(() => t('an object {form}', { form: '{ name, waiting, mean, done }' }), {
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
    stages: stages.map((stage, s) => ({ id: idOf(s), name: stage.name, service: { kind: 'constant', mean: stage.mean } })),
    workers,
    policy,
  })
  return 'problems' in parsed ? parsed : { question: { scenario: parsed.scenario, asked: stages.map(({ waiting, mean, done }) => ({ waiting, mean, done })) } }
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
