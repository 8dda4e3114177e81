import { t } from '../../language/translate.ts'
import { branchDraft, branchOf } from '../edit/branches.ts'
import { isElastic } from '../model/defaults.ts'
import type { Branch, Problem, Scenario } from '../model/scenario.ts'
import { countText, foundText, quoted } from '../model/words.ts'

/** Returns the problems of an otherwise valid scenario's branches. `problemsOf` finds those without branches; paths are translated to the branch's keys. */
export function branchProblems(scenario: Scenario, problemsOf: (scenario: Scenario) => readonly Problem[]): Problem[] {
  return scenario.branches.flatMap((branch, k) => {
    const own = ownProblems(scenario, branch)
    if (own.length > 0) return own.map((problem) => inBranch(problem, k))
    const drawn = branchDraft(scenario, k)
    const wrong = problemsOf(drawn)
    if (wrong.length > 0) return wrong.map((problem) => inBranch(placed(problem, scenario, branch), k))
    const played = branchOf(scenario, k)
    return problemsOf(played).map((problem) => inBranch(inBranchAsRun(problem, played, branch), k))
  })
}

/** Returns a problem of the branch as it is run, with its path in the branch. The phase that begins the branch has no path of its own. */
function inBranchAsRun({ path, message }: Problem, { later }: Scenario, branch: Branch): Problem {
  const [, index, rest = ''] = /^later\[(\d+)\]\.(.*)$/.exec(path) ?? []
  const [key] = /^[A-Za-z]+/.exec(rest) ?? ['']
  if (later[Number(index)]?.at === branch.at && Object.hasOwn(branch, key)) return { path: rest, message }
  return { path: '', message: t('played from {at} on, {path}: {message}', { at: countText(branch.at), path, message }) }
}

function inBranch({ path, message }: Problem, k: number): Problem {
  return { path: `branches[${k}]${path === '' ? '' : `.${path}`}`, message }
}

function ownProblems({ stages, policy }: Scenario, branch: Branch): Problem[] {
  const ids = new Map(stages.map(({ id }) => [id, 0]))
  const problems: Problem[] = []
  for (const [i, { id, from, changes = [] }] of (branch.stages ?? []).entries()) {
    const times = ids.get(id)
    if (times === undefined) problems.push({ path: `stages[${i}].id`, message: t('{id} is not a stage; allowed: the ids of the stages', { id: quoted(id) }) })
    else if (times > 0) problems.push({ path: `stages[${i}].id`, message: t('{id} is listed twice', { id: quoted(id) }) })
    ids.set(id, 1)
    const k = changes.findIndex((change) => change.from < from)
    if (k >= 0)
      problems.push({
        path: `stages[${i}].changes[${k}].from`,
        message: foundText(changes[k].from, t('at least {from}, from which job on the branch says what the stage costs', { from: countText(from) })),
      })
  }
  for (const key of ['later', 'workerEvents'] as const) {
    const times = branch[key]?.map(({ at }) => at) ?? []
    const k = times.findIndex((at) => at < branch.at)
    if (k >= 0)
      problems.push({ path: `${key}[${k}].at`, message: foundText(times[k], t('at least {at}, when the branch begins', { at: countText(branch.at) })) })
  }
  if (branch.workers !== undefined && isElastic(policy))
    problems.push({ path: 'workers', message: t('how many workers an elastic policy may hire cannot change during the run; leave it out') })
  return problems
}

/** Returns a problem of the branch as it is edited, with its path in the branch, whose lists begin where those of the original end. */
function placed({ path, message }: Problem, original: Scenario, branch: Branch): Problem {
  const [key] = /^[A-Za-z]+/.exec(path) ?? ['']
  if (!Object.hasOwn(branch, key)) return { path: '', message: path === '' ? message : `${path}: ${message}` }
  const at = (list: string, k: number, rest: string) => ({ path: `${list}[${k}]${rest}`, message })
  const [, index, rest = ''] = /^[A-Za-z]+\[(\d+)\](.*)$/.exec(path) ?? []
  if ((key === 'workerEvents' || key === 'later') && index !== undefined) {
    const before: readonly { readonly at: number }[] = original[key]
    return at(key, Number(index) - before.filter((each) => each.at < branch.at).length, rest)
  }
  if (key === 'stages' && index !== undefined) {
    const k = branch.stages?.findIndex(({ id }) => id === original.stages[Number(index)].id) ?? -1
    return k < 0 ? { path: '', message: `${path}: ${message}` } : at(key, k, rest)
  }
  return { path, message }
}
