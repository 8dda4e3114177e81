import { t } from '../../language/translate.ts'
import { same } from '../model/compact.ts'
import { isElastic } from '../model/defaults.ts'
import { type Branch, type BranchStage, type Micros, type Problem, phaseKeys, type Scenario, type Stage } from '../model/scenario.ts'
import { countText, foundText, quoted } from '../model/words.ts'
import { trunkOf } from './branches.ts'
import { setWorkers } from './edits.ts'

export type Forked = { readonly branch: Branch } | { readonly problems: readonly Problem[] }

/** What cannot change during a run. */
const fixed = ['seed', 'source', 'links', 'order'] as const satisfies readonly (keyof Scenario)[]
const fixedInStage = ['work', 'fails', 'capacity', 'discipline', 'resource', 'whenTaken', 'fanOut', 'join'] as const satisfies readonly (keyof Stage)[]

const advice = () => t('put it back as it was, or give up the branch and change the scenario itself')
const staysAsItIs = (what: string) => t('{what} cannot change under way: {advice}', { what, advice: advice() })

/**
 * Returns the branch that goes on from `at` as `edited` says, or the problems: what cannot change during a run, each at its path.
 * `begun`: by stage of the trunk, one more than the greatest job begun there before `at`. Titles, names and places make no difference.
 */
export function forkAt(scenario: Scenario, at: Micros, edited: Scenario, begun: readonly number[]): Forked {
  const trunk = trunkOf(scenario)
  const problems: Problem[] = fixed.flatMap((key) => (same(trunk[key], edited[key]) ? [] : [{ path: key, message: staysAsItIs(meant(key)) }]))
  problems.push(...stageProblems(trunk, edited, begun), ...eventProblems(trunk, at, edited), ...turnProblems(trunk, at, edited))
  if (edited.workers !== trunk.workers && isElastic(trunk.policy))
    problems.push({ path: 'workers', message: staysAsItIs(t('How many workers an elastic policy may hire')) })
  if (edited.branches.length > 0) problems.push({ path: 'branches', message: t('a branch has no branches of its own') })
  return problems.length > 0 ? { problems } : { branch: differences(trunk, at, edited, begun) }
}

function meant(key: (typeof fixed)[number]): string {
  switch (key) {
    case 'seed':
      return t('The luck')
    case 'source':
      return t('What arrives')
    case 'links':
      return t('Which stage leads to which')
    case 'order':
      return t('In which order jobs leave')
  }
}

function stageProblems(trunk: Scenario, edited: Scenario, begun: readonly number[]): Problem[] {
  const own = new Map(trunk.stages.map((stage, s) => [stage.id, { stage, begun: begun[s] }]))
  const there = new Set(edited.stages.map(({ id }) => id))
  const missing = trunk.stages.filter(({ id }) => !there.has(id))
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
        message: t('jobs below {begun} have begun here by then, and cost what they cost; allowed: a change from job {begun} on', {
          begun: countText(before.begun),
        }),
      })
    }
  }
  if (missing.length === 0 && problems.length === 0 && trunk.stages.some(({ id }, s) => id !== edited.stages[s].id))
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

function eventProblems(trunk: Scenario, at: Micros, edited: Scenario): Problem[] {
  const was = setWorkers(trunk, edited.workers).workerEvents.filter((event) => event.at < at)
  const is = edited.workerEvents.filter((event) => event.at < at)
  if (same(was, is)) return []
  const k = is.findIndex((event, n) => !same(event, was[n]))
  if (k < 0) return [{ path: 'workerEvents', message: t('what had happened by {at} is missing: {advice}', { at: countText(at), advice: advice() }) }]
  return [
    {
      path: `workerEvents[${k}].at`,
      message: foundText(is[k].at, t('at least {at}, when the branch begins, or what had happened before as it was', { at: countText(at) })),
    },
  ]
}

function turnProblems(trunk: Scenario, at: Micros, edited: Scenario): Problem[] {
  const was = setWorkers(trunk, edited.workers).later.filter((phase) => phase.at < at)
  const is = edited.later.filter((phase) => phase.at < at)
  if (same(was, is)) return []
  const k = is.findIndex((phase, n) => !same(phase, was[n]))
  if (k < 0) return [{ path: 'later', message: t('what had turned by {at} is missing: {advice}', { at: countText(at), advice: advice() }) }]
  return [
    {
      path: `later[${k}].at`,
      message: foundText(is[k].at, t('at least {at}, when the branch begins, or what had turned before as it was', { at: countText(at) })),
    },
  ]
}

/** Returns only the differences, so that edits of the trunk reach its branches; and how far each stage had come. */
function differences(trunk: Scenario, at: Micros, edited: Scenario, begun: readonly number[]): Branch {
  const crew = setWorkers(trunk, edited.workers)
  const late = <T extends { readonly at: Micros }>(list: readonly T[]) => list.filter((each) => each.at >= at)
  const phaseValues = phaseKeys.filter((key) => !same(edited[key], crew[key]))
  const stages = edited.stages.flatMap((stage, s) => stageDifferences(trunk.stages[s], stage, begun[s]))
  return {
    at,
    title: '',
    ...(stages.length > 0 && { stages }),
    ...(edited.workers !== trunk.workers && { workers: edited.workers }),
    ...(!same(late(edited.workerEvents), late(crew.workerEvents)) && { workerEvents: late(edited.workerEvents) }),
    ...(!same(late(edited.later), late(crew.later)) && { later: late(edited.later) }),
    ...Object.fromEntries(phaseValues.map((key) => [key, edited[key]])),
  }
}

function stageDifferences(trunk: Stage, { id, service, changes }: Stage, from: number): BranchStage[] {
  const other = {
    ...(!same(service, trunk.service) && { service }),
    ...(!same(changes, trunk.changes) && { changes: changes.filter((change) => change.from >= from) }),
  }
  return from === 0 && Object.keys(other).length === 0 ? [] : [{ id, from, ...other }]
}
