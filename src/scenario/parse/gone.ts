import { t } from '../../language/translate.ts'
import { MAX_BATCH } from '../model/limits.ts'
import type { Kind } from '../model/params.ts'
import { policies, policyKinds } from '../model/policies.ts'
import type { PolicyKind, Scenario } from '../model/scenario.ts'
import { listed } from '../model/words.ts'
import { withoutHidden } from './sealed.ts'
import { isPlainObject } from './shape.ts'

/** What links, files and records of earlier versions may hold and this version no longer has. `withoutGone` is called before any check. */

type Given = Readonly<Record<string, unknown>>

interface GonePolicy extends Kind {
  /** The policy that plays in its place. */
  readonly instead: keyof typeof policies
  /** Whether that one gives the same rows and decisions, so that it also explains a record of the old one. */
  readonly sameRun: boolean
}

/** Their numbers and parameters stay, so that short links can be read and no number gets a second meaning. */
export const gonePolicies = {
  exhaustive: { name: () => t('Least total time, by trying all'), link: 1, instead: 'leastScore', sameRun: false },
  greenThreads: {
    name: () => t('Green threads'),
    link: 18,
    params: { perStage: { is: 'whole', min: 1, max: 'workers', byDefault: 8 } },
    instead: 'fixed',
    sameRun: true,
  },
  morsels: {
    name: () => t('Morsels'),
    link: 34,
    params: { morselSize: { is: 'whole', min: 1, max: MAX_BATCH, byDefault: 16 } },
    instead: 'workStealing',
    sameRun: false,
  },
  goLike: {
    name: () => t('Like Go'),
    link: 35,
    params: {
      runq: { is: 'whole', min: 2, max: MAX_BATCH, byDefault: 256 },
      schedtick: { is: 'whole', min: 1, max: MAX_BATCH, byDefault: 61 },
    },
    instead: 'workStealing',
    sameRun: false,
  },
} as const satisfies Readonly<Record<string, GonePolicy>>

export type GonePolicyKind = keyof typeof gonePolicies

interface Gone {
  /** Returns what the scenario had in words, for the notice; null if it was the default, which records spell out. */
  readonly name: (scenario: Given) => string | null
  /** Returns the scenario without it; the same object where there is none. It assumes nothing about the scenario. */
  readonly without: (scenario: Given) => Given
}

/** In the order in which they are replaced: a hidden policy may be gone too. */
const gone: readonly Gone[] = [
  {
    name: ({ hidden }) => (Array.isArray(hidden) && hidden.length === 0 ? null : t('hidden values (they are shown)')),
    without: withoutHidden,
  },
  goneKey('essay', ({ essay }) => (essay === '' ? null : t('the essay'))),
  ...(Object.keys(gonePolicies) as GonePolicyKind[]).map(
    (kind): Gone => ({
      name: () => nameOfGone(kind),
      without: (scenario) => withoutPolicy(scenario, kind),
    }),
  ),
]

function nameOfGone(kind: GonePolicyKind): string {
  const { name, instead } = gonePolicies[kind]
  return t('the policy {policy} ({instead} plays instead)', { policy: name(), instead: policies[instead].name() })
}

/** Drops a key of the scenario. Its bytes in short links stay in `link/shortForm.ts`. */
export function goneKey(key: string, name: Gone['name']): Gone {
  return {
    name,
    without(scenario) {
      if (!Object.hasOwn(scenario, key)) return scenario
      const { [key]: _, ...rest } = scenario
      return rest
    },
  }
}

/** Returns the scenario without what is gone, and the names of what it had. */
export function withoutGone(
  given: Given,
  table: readonly Gone[] = gone,
): { readonly scenario: Given; readonly names: readonly string[] } {
  let scenario = given
  const names: string[] = []
  for (const { name, without } of table) {
    const before = scenario
    scenario = without(scenario)
    const had = scenario === before ? null : name(before)
    if (had !== null) names.push(had)
  }
  return { scenario, names }
}

/** Returns the policy of that name, or the one that plays in its place and the name for the notice; null if there was never one. */
export function policyCalled(word: string): { readonly kind: PolicyKind; readonly gone: readonly string[] } | null {
  const kind = policyKinds.find((each) => each === word)
  if (kind !== undefined) return { kind, gone: [] }
  return isGone(word) ? { kind: gonePolicies[word].instead, gone: [nameOfGone(word)] } : null
}

function isGone(kind: unknown): kind is GonePolicyKind {
  return typeof kind === 'string' && Object.hasOwn(gonePolicies, kind)
}

function withoutPolicy(scenario: Given, kind: GonePolicyKind): Given {
  return kind === 'greenThreads' ? withoutGreenThreads(scenario) : eachPhase(scenario, (phase) => present(phase, kind))
}

/** Returns the phase with the policy that plays in place of one that is gone. `lend` stays where the new policy has it too. */
function present(phase: Given, kind: Exclude<GonePolicyKind, 'greenThreads'>): Given {
  if (kindIn(phase) !== kind) return phase
  const { instead } = gonePolicies[kind]
  const policy = kind === 'exhaustive' ? { ...(phase.policy as Given), kind: instead } : { kind: instead }
  return { ...phase, policy }
}

/** Each stage keeps its threads, as workers of a fixed policy. `workers` counted only as the default of `cores`. */
function withoutGreenThreads(scenario: Given): Given {
  if (kindIn(scenario) !== 'greenThreads') return scenario
  const { perStage = gonePolicies.greenThreads.params.perStage.byDefault } = scenario.policy as Given
  const { workers, cores = workers } = scenario
  const ids = listIn(scenario, 'stages').map((stage) => (isPlainObject(stage) ? String((stage as Given).id) : ''))
  const branches = listIn(scenario, 'branches').map((branch) => {
    if (!isPlainObject(branch) || !Object.hasOwn(branch as Given, 'workers')) return branch
    const { workers: own, ...rest } = branch as Given
    return cores === workers ? { cores: own, ...rest } : rest
  })
  return {
    ...scenario,
    workers: Number.isInteger(perStage) ? Number(perStage) * ids.length : workers,
    cores,
    policy: {
      kind: gonePolicies.greenThreads.instead,
      allocation: Object.fromEntries(ids.map((id) => [id, perStage])),
    },
    ...(Object.hasOwn(scenario, 'branches') && { branches }),
  }
}

/** Changes the scenario, its phases, its branches and their phases. Returns the same object if nothing was changed. */
function eachPhase(scenario: Given, change: (phase: Given) => Given): Given {
  const inList = (phase: Given, key: 'later' | 'branches', step: (one: Given) => Given): Given => {
    const list = listIn(phase, key)
    const changed = list.map((one) => (isPlainObject(one) ? step(one as Given) : one))
    return changed.every((one, i) => one === list[i]) ? phase : { ...phase, [key]: changed }
  }
  const withPhases = (phase: Given) => inList(change(phase), 'later', change)
  return inList(withPhases(scenario), 'branches', withPhases)
}

function listIn(given: Given, key: string): readonly unknown[] {
  const list = Object.hasOwn(given, key) ? given[key] : undefined
  return Array.isArray(list) ? list : []
}

function kindIn(phase: Given): unknown {
  const policy = Object.hasOwn(phase, 'policy') ? phase.policy : undefined
  return isPlainObject(policy) && Object.hasOwn(policy as Given, 'kind') ? (policy as Given).kind : undefined
}

/** A policy as a record has it. */
export type FormerPolicy = Given & { readonly kind: GonePolicyKind }

/**
 * Returns, by the number of phases that have begun, the policy whose decisions this version cannot explain or repeat; null where it can. Empty
 * if it can everywhere.
 */
export function formerPolicies(scenario: unknown): readonly (FormerPolicy | null)[] {
  const given = isPlainObject(scenario) ? (scenario as Given) : {}
  let latest: FormerPolicy | null = null
  const former = [given, ...listIn(given, 'later')].map((phase) => {
    if (!isPlainObject(phase) || !Object.hasOwn(phase as Given, 'policy')) return latest
    const { policy } = phase as Given
    const kind = kindIn(phase as Given)
    latest = isGone(kind) && !gonePolicies[kind].sameRun ? { ...(policy as Given), kind } : null
    return latest
  })
  return former.every((each) => each === null) ? [] : former
}

/** Returns the scenario of a record as its file had it, with the policies of `formerPolicies`. */
export function withFormerPolicies(scenario: Scenario, former: readonly (FormerPolicy | null)[]): object {
  if (former.length === 0) return scenario
  return {
    ...scenario,
    policy: former[0] ?? scenario.policy,
    later: scenario.later.map((phase, k) =>
      phase.policy === undefined ? phase : { ...phase, policy: former[k + 1] ?? phase.policy },
    ),
  }
}

const goneNames = new WeakMap<Scenario, readonly string[]>()

/** Remembers what a scenario had when it was read. The scenario itself does not say. */
export function noteGone(scenario: Scenario, names: readonly string[]): void {
  if (names.length > 0) goneNames.set(scenario, names)
}

/** Returns the names of what a scenario had when it was read and this version no longer has. */
export function goneIn(scenario: Scenario): readonly string[] {
  return goneNames.get(scenario) ?? []
}

/** Returns the notice about what is gone. */
export function goneNotice(names: readonly string[]): string {
  return t('This version of Apportion no longer has {names}. The file or link stays as it is.', {
    names: listed([...new Set(names)]),
  })
}
