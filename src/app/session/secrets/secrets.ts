import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { placeOf } from '../../../scenario/model/hidden.ts'
import type { Hidden, Scenario } from '../../../scenario/model/scenario.ts'
import { runStore } from '../run/runStore.ts'
import { scenarioStore } from '../scenario/scenarioStore.ts'
import { part, type Session } from '../session.ts'
import { useSession } from '../useSession.ts'

/** What the page does not show yet: what is hidden on the canvas, or in the run on the screen. */
export interface Secrets {
  readonly all: readonly Hidden[]
  readonly policy: boolean
  /** The ids of the stages whose service time is hidden. */
  readonly services: ReadonlySet<string>
}

const none: Secrets = { all: [], policy: false, services: new Set() }

/** What was revealed in this session: a run keeps the scenario that it was played with, and undo may bring that back. */
const revealedStore = part(() =>
  createStore<{ readonly revealed: ReadonlySet<string> }>(() => ({ revealed: new Set() })),
)

/** The last answer and what it was given for: drawings ask in every frame. */
const lastAnswer = part((): { asked: readonly unknown[]; secrets: Secrets } => ({ asked: [], secrets: none }))

export function secretsOf(session: Session): Secrets {
  const last = lastAnswer(session)
  const scenarios = scenariosOf(session)
  const { revealed } = revealedStore(session).getState()
  const asked = [...scenarios, revealed]
  if (asked.length !== last.asked.length || asked.some((each, i) => each !== last.asked[i])) {
    last.asked = asked
    last.secrets = secretsIn(scenarios, revealed)
  }
  return last.secrets
}

/** Returns what the page does not show yet, and renders again when that changes. */
export function useSecrets(): Secrets {
  const session = useSession()
  useStore(scenarioStore(session), ({ draft }) => draft)
  useStore(runStore(session), ({ run }) => run)
  useStore(revealedStore(session))
  return secretsOf(session)
}

/** Counts this as revealed, on the canvas and in the run on the screen. */
export function keepRevealed(session: Session, secret: Hidden): void {
  const keys = scenariosOf(session).map((scenario) => keyOf(scenario, secret))
  revealedStore(session).setState(({ revealed }) => ({ revealed: new Set([...revealed, ...keys]) }))
}

function scenariosOf(session: Session): readonly Scenario[] {
  const { draft } = scenarioStore(session).getState()
  const played = runStore(session).getState().run?.scenario
  return played === undefined ? [draft] : [draft, played]
}

function secretsIn(scenarios: readonly Scenario[], revealed: ReadonlySet<string>): Secrets {
  const still = scenarios.flatMap((scenario) =>
    scenario.hidden.filter((secret) => !revealed.has(keyOf(scenario, secret))),
  )
  if (still.length === 0) return none
  const all = [...new Map(still.map((secret) => [placeOf(secret), secret])).values()]
  const services = all.flatMap((secret) => (secret.kind === 'service' ? [secret.stage] : []))
  return { all, policy: services.length < all.length, services: new Set(services) }
}

/** A key of what is hidden with its value: the next puzzle may hide another time at the same stage. */
function keyOf({ stages, policy }: Scenario, secret: Hidden): string {
  const stage = secret.kind === 'service' ? stages.find(({ id }) => id === secret.stage) : null
  return placeOf(secret) + JSON.stringify(secret.kind === 'policy' ? policy : [stage?.service, stage?.changes])
}
