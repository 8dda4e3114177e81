import { t } from '../../language/translate.ts'
import { same } from '../model/compact.ts'
import { isElastic } from '../model/defaults.ts'
import { type Branch, type BranchStage, type Micros, type Problem, phaseKeys, type Scenario, type Stage } from '../model/scenario.ts'
import { countText, foundText, problemAt, quoted } from '../model/words.ts'
import { originalOf } from './branches.ts'
import { setWorkers } from './edits.ts'

export type Forked = { readonly branch: Branch } | { readonly problems: readonly Problem[] }

/** What cannot change during a run. */
const fixed = {
  seed: () => t('The random seed'),
  source: () => t('What arrives'),
  links: () => t('Which stage leads to which'),
  order: () => t('In which order jobs leave'),
} as const satisfies Partial<Record<keyof Scenario, () => string>>
const fixedInStage = ['work', 'fails', 'capacity', 'discipline', 'resource', 'whenTaken', 'fanOut', 'join'] as const satisfies readonly (keyof Stage)[]

const advice = () => t('put it back as it was, or delete the branch and change the scenario itself')
const staysAsItIs = (what: string) => t('{what} cannot change during the run: {advice}', { what, advice: advice() })

/**
 * Returns the branch that continues like `edited` from `at` on, or a problem at each path that cannot change during a run.
 * `begun`: by stage of the original, one more than the greatest job begun there before `at`. Titles, names and places make no difference.
 */
export function forkAt(scenario: Scenario, at: Micros, edited: Scenario, begun: readonly number[]): Forked {
  const original = originalOf(scenario)
  const changed = (Object.keys(fixed) as (keyof typeof fixed)[]).filter((key) => !same(original[key], edited[key]))
  const problems = changed.flatMap((key) => problemAt(key, staysAsItIs(fixed[key]())))
  problems.push(...stageProblems(original, edited, begun), ...earlyProblems(original, at, edited))
  if (edited.workers !== original.workers && isElastic(original.policy))
    problems.push({ path: 'workers', message: staysAsItIs(t('How many workers an elastic policy may hire')) })
  if (edited.branches.length > 0) problems.push({ path: 'branches', message: t('a branch has no branches of its own') })
  return problems.length > 0 ? { problems } : { branch: differences(original, at, edited, begun) }
}

function stageProblems(original: Scenario, edited: Scenario, begun: readonly number[]): Problem[] {
  const own = new Map(original.stages.map((stage, s) => [stage.id, { stage, begun: begun[s] }]))
  const there = new Set(edited.stages.map(({ id }) => id))
  const missing = original.stages.filter(({ id }) => !there.has(id))
  const problems: Problem[] = missing.map(({ name }) => ({
    path: 'stages',
    message: t('found no {name}; {x}', { name: quoted(name), x: staysAsItIs(t('which stages there are')) }),
  }))
  for (const [i, stage] of edited.stages.entries()) {
    const before = own.get(stage.id)
    if (before === undefined) {
      problems.push({
        path: `stages[${i}]`,
        message: t('{name} was not there when the run began; {x}', { name: quoted(stage.name), x: staysAsItIs(t('which stages there are')) }),
      })
      continue
    }
    for (const key of fixedInStage) if (!same(stage[key], before.stage[key])) problems.push({ path: `stages[${i}].${key}`, message: staysAsItIs(t('this')) })
    const k = earlyChange(before.stage.changes, stage.changes, before.begun)
    if (k !== null) {
      const path = stage.changes[k] === undefined ? `stages[${i}].changes` : `stages[${i}].changes[${k}].from`
      problems.push({
        path,
        message: t('jobs below {begun} have already started here, so their service time is fixed; allowed: a change from job {begun} on', {
          begun: countText(before.begun),
        }),
      })
    }
  }
  if (missing.length === 0 && problems.length === 0 && original.stages.some(({ id }, s) => id !== edited.stages[s].id))
    problems.push({ path: 'stages', message: staysAsItIs(t('The order in which stages are listed')) })
  return problems
}

/** Returns the index of the first change that alters or drops a job already begun; null if there is none. */
function earlyChange(before: Stage['changes'], now: Stage['changes'], begun: number): number | null {
  const [old, present] = [before, now].map((changes) => changes.filter(({ from }) => from < begun))
  if (same(old, present)) return null
  const k = present.findIndex((change, n) => !same(change, old[n]))
  return k < 0 ? now.length : k
}

const early = {
  workerEvents: {
    missing: (at: string) => t('what had happened by {at} is missing: {advice}', { at, advice: advice() }),
    allowed: (at: string) => t('at least {at}, when the branch begins, or what had happened before as it was', { at }),
  },
  later: {
    missing: (at: string) => t('a phase that began before {at} is missing: {advice}', { at, advice: advice() }),
    allowed: (at: string) => t('at least {at}, when the branch begins, or the earlier phases unchanged', { at }),
  },
} as const

/**
 * Returns `edited` with the events and phases before `at` as the original with this number of workers has them.
 * Each change of the number of workers adapts the past. After two changes it may differ from that of the original.
 */
export function withPast(scenario: Scenario, at: Micros, edited: Scenario): Scenario {
  const before = setWorkers(originalOf(scenario), edited.workers)
  const joined = <T extends { readonly at: Micros }>(was: readonly T[], is: readonly T[]) => [
    ...was.filter((each) => each.at < at),
    ...is.filter((each) => each.at >= at),
  ]
  return { ...edited, workerEvents: joined(before.workerEvents, edited.workerEvents), later: joined(before.later, edited.later) }
}

/** Returns a problem where what had happened or turned before `at` is not as it was. */
function earlyProblems(original: Scenario, at: Micros, edited: Scenario): Problem[] {
  const before = setWorkers(original, edited.workers)
  return (['workerEvents', 'later'] as const).flatMap((key) => {
    const [was, is] = [before[key], edited[key]].map((list: readonly { readonly at: Micros }[]) => list.filter((each) => each.at < at))
    if (same(was, is)) return []
    const { missing, allowed } = early[key]
    const k = is.findIndex((each, n) => !same(each, was[n]))
    return k < 0 ? problemAt(key, missing(countText(at))) : problemAt(`${key}[${k}].at`, foundText(is[k].at, allowed(countText(at))))
  })
}

/** Returns only the differences, so that edits of the original reach its branches; and how far each stage had come. */
function differences(original: Scenario, at: Micros, edited: Scenario, begun: readonly number[]): Branch {
  const staffed = setWorkers(original, edited.workers)
  const late = <T extends { readonly at: Micros }>(list: readonly T[]) => list.filter((each) => each.at >= at)
  const phaseValues = phaseKeys.filter((key) => !same(edited[key], staffed[key]))
  const stages = edited.stages.flatMap((stage, s) => stageDifferences(original.stages[s], stage, begun[s]))
  return {
    at,
    title: '',
    ...(stages.length > 0 && { stages }),
    ...(edited.workers !== original.workers && { workers: edited.workers }),
    ...(!same(late(edited.workerEvents), late(staffed.workerEvents)) && { workerEvents: late(edited.workerEvents) }),
    ...(!same(late(edited.later), late(staffed.later)) && { later: late(edited.later) }),
    ...Object.fromEntries(phaseValues.map((key) => [key, edited[key]])),
  }
}

function stageDifferences(original: Stage, { id, service, changes }: Stage, from: number): BranchStage[] {
  const other = {
    ...(!same(service, original.service) && { service }),
    ...(!same(changes, original.changes) && { changes: changes.filter((change) => change.from >= from) }),
  }
  return from === 0 && Object.keys(other).length === 0 ? [] : [{ id, from, ...other }]
}
