import * as v from 'valibot'
import { t } from '../../language/translate.ts'
import { MAX_PROBLEMS } from '../model/limits.ts'
import { type Problem, SCENARIO_VERSION } from '../model/scenario.ts'
import { foundText, pathOf } from '../model/words.ts'
import { type Check, checkRecord, type Entries } from './shape.ts'

type Checked<T> = { readonly value: T } | { readonly problems: readonly Problem[] }

/** Returns the checked value of an input, or at most 50 problems, each at its path. */
export function checked<T>(check: Check<T>, input: unknown): Checked<T> {
  const { success, output, issues } = v.safeParse(check, input)
  return success ? { value: output } : { problems: issues.slice(0, MAX_PROBLEMS).map(problemOfIssue) }
}

/** An object that the page itself has stored, maybe in another version. Its problems are never shown. */
export function checkStored<E extends Entries>(entries: E): ReturnType<typeof checkRecord<E>> {
  return checkRecord(() => '', entries, 'left out')
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

export function problemOfIssue({ path, message }: { readonly path?: readonly { readonly key: unknown }[] | undefined; readonly message: string }): Problem {
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
  return newest === 1
    ? t('1, the version of the format a scenario is written in')
    : t('1 to {newest}, the version of the format a scenario is written in', { newest })
}

export function newer(version: number | string, newest: number = SCENARIO_VERSION): string {
  return t('A newer version of Apportion made this (format {version}); this one reads formats up to {newest}. Reload the page to update it.', {
    version,
    newest,
  })
}
