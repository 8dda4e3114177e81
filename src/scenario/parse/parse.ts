import { t } from '../../language/translate.ts'
import { scenarioDefaults } from '../model/defaults.ts'
import { MAX_PROBLEMS, MAX_TEXT } from '../model/limits.ts'
import { linearLinks, ordered } from '../model/linearStages.ts'
import type {
  Batch,
  Branch,
  FanOut,
  Parsed,
  ParsedDraft,
  Phase,
  Policy,
  Problem,
  Scenario,
  Stage,
} from '../model/scenario.ts'
import { foundText, lengthText, problemAt, quoted } from '../model/words.ts'
import { branchProblems, problemOfIssue, upgrade, upgrades } from './checked.ts'
import { noteGone, withoutGone } from './gone.ts'
import { findJsonProblem, parseJson } from './json.ts'
import { pipelineIsSound, scenarioRules } from './rules.ts'
import { readDraftKeys, type SchemaDraft } from './schema.ts'
import { isPlainObject } from './shape.ts'

/** Returns the scenario with every default, or at most 50 problems, each at its path. For all input from outside. It never throws, and never changes or keeps the input. */
export function parse(input: unknown): Parsed {
  const { scenario, problems, unsound } = read(input)
  return scenario === null || unsound > 0 ? { problems } : { scenario }
}

/** Like `parse`, but if only stages and links do not fit together, returns the scenario with these problems, whose paths count its own links. */
export function parseDraft(input: unknown): ParsedDraft | { readonly problems: readonly Problem[] } {
  const first = read(input)
  if (first.scenario === null || first.problems.length > first.unsound) return { problems: first.problems }
  const { scenario } = first
  return { scenario, draftProblems: first.unsound === 0 ? [] : read(scenario).problems }
}

export function parseText(text: string): Parsed {
  const json = jsonOf(text)
  return 'problems' in json ? json : parse(json.value)
}

export function parseDraftText(text: string): ParsedDraft | { readonly problems: readonly Problem[] } {
  const json = jsonOf(text)
  return 'problems' in json ? json : parseDraft(json.value)
}

function jsonOf(text: string): { readonly value: unknown } | { readonly problems: readonly Problem[] } {
  if (text.length > MAX_TEXT) return { problems: problemAt('', lengthText(text.length, MAX_TEXT)) }
  try {
    return { value: parseJson(text) }
  } catch (error) {
    return {
      problems: problemAt(
        '',
        error instanceof RangeError ? error.message : t('this is not JSON: {text}', { text: whereOf(text) }),
      ),
    }
  }
}

/** Returns where the text stops being JSON, or how a scenario begins if the text does not begin like one. */
function whereOf(text: string): string {
  const fault = /^\s*\{/.test(text) ? findJsonProblem(text) : null
  if (fault === null) return t('a scenario is a JSON object: {open} … {close}', { open: '{', close: '}' })
  const { line, column, message, excerpt } = fault
  return t('line {line, number}, column {column, number}: {message}. There: {excerpt}', {
    line,
    column,
    message,
    excerpt,
  })
}

interface Reading {
  /** Null if the problems are too serious for a draft. */
  readonly scenario: Scenario | null
  readonly problems: readonly Problem[]
  /** How many of the problems a draft may have: its stages and links do not fit together. */
  readonly unsound: number
}

function read(input: unknown): Reading {
  try {
    return checkedInput(input)
  } catch {
    // An object from code may throw when it is read (a getter, a proxy). Plain JSON never does.
    return refused(problemAt('', t('not readable; allowed: plain JSON')))
  }
}

const refused = (problems: readonly Problem[]): Reading => ({ scenario: null, problems, unsound: 0 })

function checkedInput(input: unknown): Reading {
  if (!isPlainObject(input)) return refused(problemAt('', foundText(input, t('an object'))))
  const upgraded = upgrade(input as Record<string, unknown>, upgrades)
  const problems: Problem[] = []
  // A missing or unreadable version is one problem among others. A newer version cannot be checked at all.
  if ('problem' in upgraded) {
    problems.push(upgraded.problem)
    if (upgraded.newer) return refused(problems)
  }
  const present = withoutGone('scenario' in upgraded ? upgraded.scenario : (input as Record<string, unknown>))
  const { output, issues } = readDraftKeys(present.scenario)
  problems.push(...issues.map(problemOfIssue))
  const draft = output as SchemaDraft
  const broken = new Set(issues.map(({ path }) => path[0].key))
  let unsound = 0
  for (const { keys, check } of scenarioRules) {
    if (keys.some((key) => broken.has(key))) continue
    const wrong = check(draft)
    if (check === pipelineIsSound) unsound = wrong.length
    problems.push(...wrong)
  }
  let readable = problems.length === unsound
  const scenario = readable ? filled(draft) : null
  if (scenario !== null && unsound === 0 && scenario.branches.length > 0) {
    problems.push(...branchProblems(scenario, (branch) => checkedInput(branch).problems))
    readable = problems.length === unsound
  }
  if (scenario !== null) noteGone(scenario, present.names)
  const shown = problems.length === 0 ? problems : bounded(problems).map((problem) => named(problem, input as object))
  return { scenario: readable ? scenario : null, problems: shown, unsound: Math.min(unsound, shown.length) }
}

function named(problem: Problem, input: object): Problem {
  const index = /^stages\[(\d+)\]/.exec(problem.path)?.[1]
  if (index === undefined) return problem
  const { name, id } = ((input as { stages: readonly unknown[] }).stages[Number(index)] ?? {}) as {
    name?: unknown
    id?: unknown
  }
  const called = [name, id].find((each) => typeof each === 'string' && each !== '')
  return { ...problem, stage: typeof called === 'string' ? quoted(called) : `${Number(index) + 1}` }
}

function bounded(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= MAX_PROBLEMS) return problems
  return [
    ...problems.slice(0, MAX_PROBLEMS - 1),
    ...problemAt('', t('and more than these {n} problems', { n: MAX_PROBLEMS - 1 })),
  ]
}

/** Fills in names, normal links, cores and seats. Every key is written out: spread objects have a hidden class each, which is slow in many runs. */
function filled(draft: SchemaDraft): Scenario {
  const ids = draft.stages.map(({ id }) => id)
  return {
    version: draft.version,
    title: draft.title,
    seed: draft.seed,
    source: draft.source,
    stages: draft.stages.map((stage) => filledStage(stage, ids)),
    links: draft.links === undefined ? linearLinks(ids) : ordered(ids, draft.links),
    workers: draft.workers,
    cores: draft.cores ?? draft.workers,
    workerEvents: draft.workerEvents,
    policy: filledPolicy(draft.policy, ids),
    estimator: draft.estimator,
    batch: filledBatch(draft.batch),
    switchCost: draft.switchCost,
    groupSwitchCost: draft.groupSwitchCost,
    network: draft.network,
    order: draft.order,
    branches: draft.branches.map((branch) => filledBranch(branch, ids)),
    later: draft.later.map((phase) => filledPhase(phase, ids)),
  }
}

function filledStage(stage: SchemaDraft['stages'][number], ids: readonly string[]): Stage {
  return {
    id: stage.id,
    name: stage.name ?? stage.id,
    service: stage.service,
    changes: stage.changes,
    startUp: stage.startUp,
    work: stage.work,
    fails: stage.fails,
    capacity: stage.capacity,
    discipline: stage.discipline,
    ageing: stage.ageing,
    resource: stage.resource,
    whenTaken: stage.whenTaken,
    fanOut: filledFanOut(stage.fanOut, ids),
    join: stage.join,
    position: stage.position,
  }
}

/** Removes missing keys, here and in phases, so that the values of the original or of the earlier phase apply. */
function filledBranch({ stages, later, ...branch }: SchemaDraft['branches'][number], ids: readonly string[]): Branch {
  return {
    ...(filledPhase(branch, ids) as unknown as Branch),
    ...(stages && { stages: stages.map(given) as unknown as Branch['stages'] & object }),
    ...(later && { later: later.map((phase) => filledPhase(phase, ids)) }),
  }
}

function given(entries: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined))
}

function filledFanOut(fanOut: SchemaDraft['stages'][number]['fanOut'], ids: readonly string[]): FanOut {
  if (fanOut === 'copy') return fanOut
  const { route } = fanOut
  return { route: Object.fromEntries(ids.filter((id) => route.has(id)).map((id) => [id, route.get(id) ?? 0])) }
}

function filledPhase({ policy, batch, ...phase }: SchemaDraft['later'][number], ids: readonly string[]): Phase {
  return {
    ...(given(phase) as unknown as Phase),
    ...(policy && { policy: filledPolicy(policy, ids) }),
    ...(batch && { batch: filledBatch(batch) }),
  }
}

function filledBatch({ adaptive, size = scenarioDefaults.batch.size, inHand }: SchemaDraft['batch']): Batch {
  return adaptive ? { adaptive, inHand } : { size, inHand }
}

function filledPolicy(policy: SchemaDraft['policy'], ids: readonly string[]): Policy {
  if (policy.kind !== 'fixed') return policy
  return { ...policy, allocation: Object.fromEntries(ids.map((id) => [id, policy.allocation.get(id) ?? 0])) }
}
