import * as v from 'valibot'
import { t } from '../../language/translate.ts'
import { MAX_JOBS, MAX_STAGES } from '../model/limits.ts'
import { askable } from '../model/policies.ts'
import { type Policy, type Problem, SCENARIO_VERSION, type Scenario } from '../model/scenario.ts'
import { foundText, pathOf } from '../model/words.ts'
import { parse } from './parse.ts'
import { boolean } from './schemaParts.ts'
import { type Check, checkOneOf, checkWhole, isPlain } from './shape.ts'
import { newer } from './upgrades.ts'

/**
 * A decision without a run: how would a rule seat so many workers, with so much waiting? As JSON:
 *
 *   { "version": 1, "workers": 8, "policy": { "kind": "leastScore" },
 *     "stages": [ { "name": "A", "waiting": 900, "mean": 1000 }, { "name": "B", "waiting": 100, "mean": 1000, "done": true } ] }
 *
 * `mean`: what a job takes, in microseconds. Of equal claims the stage further up wins.
 */
export interface DecisionQuestion {
  /** The policy, workers and stages as a scenario, so that everything that shows a decision can show this one. */
  readonly scenario: Scenario
  /** By stage. */
  readonly asked: readonly ParsedQuestion[]
}

export interface ParsedQuestion {
  readonly waiting: number
  /** In microseconds. */
  readonly mean: number
  readonly done: boolean
}

export const QUESTION_VERSION = 1

export type QuestionRead = { readonly question: DecisionQuestion } | { readonly problems: readonly Problem[] }

/** Returns the question or its problems. Strict; never throws on plain JSON. */
export function parseQuestion(input: unknown): QuestionRead {
  if (!isPlain(input)) return refused('', foundText(input, t('an object, the question')))
  const { version, workers, policy = { kind: 'leastScore' }, stages, ...rest } = input as Record<string, unknown>
  if (typeof version === 'number' && version > QUESTION_VERSION) return refused('version', newer(String(version)))
  if (version !== QUESTION_VERSION) return refused('version', foundText(version, String(QUESTION_VERSION)))
  const problems: Problem[] = Object.keys(rest).map((key) => ({
    path: pathOf([key]),
    message: t('unknown key; allowed: version, workers, policy and stages'),
  }))
  const kind = isPlain(policy) ? (policy as { kind?: unknown }).kind : undefined
  checked(checkOneOf(askable), kind, 'policy.kind', problems)
  if (!Array.isArray(stages) || stages.length < 1 || stages.length > MAX_STAGES)
    return { problems: [...problems, { path: 'stages', message: foundText(stages, t('a list of 1 to {MAX_STAGES} stages', { MAX_STAGES })) }] }
  const asked = stages.map((stage: unknown, s) => readStage(stage, `stages[${s}]`, problems))
  const parsed = parse({
    version: SCENARIO_VERSION,
    title: t('A question'),
    source: { kind: 'batch', jobs: 0 },
    stages: asked.map(({ name, mean }, s) => ({ id: idOf(s), name, service: { kind: 'constant', mean } })),
    workers,
    policy,
  })
  if ('problems' in parsed) problems.push(...parsed.problems.map(({ path, message }) => ({ path: path.replace('.service.mean', '.mean'), message })))
  return problems.length > 0 || 'problems' in parsed
    ? { problems: problems.slice(0, 50) }
    : { question: { scenario: parsed.scenario, asked: asked.map(({ waiting, mean, done }) => ({ waiting, mean: Number(mean), done })) } }
}

/** Returns the question as plain JSON, for a link. */
export function plainQuestion({ scenario, asked }: DecisionQuestion): object {
  const { stages, workers, policy } = scenario
  return {
    version: QUESTION_VERSION,
    workers,
    policy: plainPolicy(policy),
    stages: stages.map(({ name }, s) => {
      const { waiting, mean, done } = asked[s]
      return { name, waiting, mean, ...(done ? { done } : {}) }
    }),
  }
}

function plainPolicy(policy: Policy): object {
  return policy.kind === 'power' ? { kind: policy.kind, p: policy.p } : { kind: policy.kind }
}

function readStage(stage: unknown, path: string, problems: Problem[]): { name: unknown; mean: unknown; waiting: number; done: boolean } {
  if (!isPlain(stage)) {
    problems.push({ path, message: foundText(stage, t('an object {form}', { form: '{ name, waiting, mean, done }' })) })
    return { name: 'A', mean: 1, waiting: 0, done: false }
  }
  const { name, waiting, mean, done = false, ...rest } = stage as Record<string, unknown>
  for (const key of Object.keys(rest)) problems.push({ path: `${path}.${pathOf([key])}`, message: t('unknown key; allowed: name, waiting, mean and done') })
  const jobs = checked(checkWhole(0, MAX_JOBS), waiting, `${path}.waiting`, problems)
  const isDone = checked(boolean, done, `${path}.done`, problems)
  if (name === undefined) problems.push({ path: `${path}.name`, message: foundText(name, t('a text')) })
  return { name, mean, waiting: jobs ?? 0, done: isDone ?? false }
}

/** Returns the value, or undefined and a new problem. */
function checked<T>(check: Check<T>, given: unknown, path: string, problems: Problem[]): T | undefined {
  const { success, output, issues } = v.safeParse(check, given)
  if (!success) problems.push({ path, message: issues[0].message })
  return success ? output : undefined
}

/** Ids in the order of the list, which settles ties. */
function idOf(s: number): string {
  return `s${String(s + 1).padStart(3, '0')}`
}

function refused(path: string, message: string): QuestionRead {
  return { problems: [{ path, message }] }
}
