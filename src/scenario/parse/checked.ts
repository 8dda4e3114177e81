import * as v from 'valibot'
import { t } from '../../language/translate.ts'
import { beforeBranch, branchDraft, branchOf, cannotChange } from '../edit/branches.ts'
import { isElastic } from '../model/defaults.ts'
import { MAX_PROBLEMS } from '../model/limits.ts'
import { type Branch, type Problem, SCENARIO_VERSION, type Scenario } from '../model/scenario.ts'
import { countText, foundText, listedTwice, pathOf, unknownStage } from '../model/words.ts'
import { type Check, checkRecord, type Entries } from './shape.ts'

type Checked<T> = { readonly value: T } | { readonly problems: readonly Problem[] }

/** Returns the checked value of an input, or at most 50 problems, each at its path. */
export function checked<T>(check: Check<T>, input: unknown): Checked<T> {
  const { success, output, issues } = v.safeParse(check, input)
  return success ? { value: output } : { problems: issues.slice(0, MAX_PROBLEMS).map(problemOfIssue) }
}

/** An object that the page itself has stored, maybe in another version. Its problems are never shown. */
export function checkStored<E extends Entries>(entries: E): ReturnType<typeof checkRecord<E>> {
  return checkRecord(entries, 'left out')
}

/** Returns the value that was stored as JSON; null if there is none, or if it does not pass the check. */
export function checkedText<T>(check: Check<T>, text: string | null): T | null {
  try {
    const read = checked(check, JSON.parse(text ?? 'null'))
    return 'value' in read ? read.value : null
  } catch {
    return null
  }
}

export function problemOfIssue({
  path,
  message,
}: {
  readonly path?: readonly { readonly key: unknown }[] | undefined
  readonly message: string
}): Problem {
  return { path: pathOf((path ?? []).map(({ key }) => key)), message }
}

/** Turns a scenario of one version into the next. Pure, and assumes nothing about its input. */
export type Upgrade = (scenario: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>

/** upgrades[0] leads from version 1 to 2, and so on. A published step is never changed. */
export const upgrades: readonly Upgrade[] = []

/** Returns the scenario in the current version, or the problem of its version, and whether that version is newer. */
export function upgrade(
  scenario: Readonly<Record<string, unknown>>,
  steps: readonly Upgrade[] = upgrades,
  newest: number = SCENARIO_VERSION,
): { readonly scenario: Readonly<Record<string, unknown>> } | { readonly problem: Problem; readonly newer: boolean } {
  const version = Object.hasOwn(scenario, 'version') ? scenario.version : undefined
  if (typeof version === 'number' && Number.isInteger(version) && version > newest)
    return { problem: { path: 'version', message: newer(version, newest) }, newer: true }
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return { problem: { path: 'version', message: foundText(version, allowedVersions(newest)) }, newer: false }
  let upgraded = scenario
  for (let i = version; i < newest; i++) upgraded = { ...steps[i - 1](upgraded), version: i + 1 }
  return { scenario: upgraded }
}

function allowedVersions(newest: number): string {
  return newest === 1 ? '1' : t('{from} to {to}', { from: 1, to: newest })
}

export function newer(version: number | string, newest: number = SCENARIO_VERSION): string {
  return t('A newer version of Apportion made this (format {version}, not {newest}). Reload the page.', {
    version,
    newest,
  })
}

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
  return { path: '', message: t('from {at} on, {path}: {message}', { at: countText(branch.at), path, message }) }
}

function inBranch({ path, message }: Problem, k: number): Problem {
  return { path: `branches[${k}]${path === '' ? '' : `.${path}`}`, message }
}

function ownProblems({ stages, policy }: Scenario, branch: Branch): Problem[] {
  const seen = new Set<string>()
  const problems: Problem[] = []
  for (const [i, { id, from, changes = [] }] of (branch.stages ?? []).entries()) {
    const path = `stages[${i}]`
    if (stages.every((stage) => stage.id !== id)) problems.push({ path: `${path}.id`, message: unknownStage(id) })
    else if (seen.has(id)) problems.push({ path: `${path}.id`, message: listedTwice(id) })
    seen.add(id)
    const k = changes.findIndex((change) => change.from < from)
    if (k >= 0) problems.push(beforeBranch(`${path}.changes[${k}].from`, changes[k].from, from))
  }
  for (const key of ['later', 'workerEvents'] as const) {
    const times = branch[key]?.map(({ at }) => at) ?? []
    const k = times.findIndex((at) => at < branch.at)
    if (k >= 0) problems.push(beforeBranch(`${key}[${k}].at`, times[k], branch.at))
  }
  if (branch.workers !== undefined && isElastic(policy)) problems.push({ path: 'workers', message: cannotChange() })
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
