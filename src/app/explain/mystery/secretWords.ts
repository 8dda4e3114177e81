import { t } from '../../../language/translate.ts'
import { withoutHidden } from '../../../scenario/model/hidden.ts'
import type { Hidden, Scenario } from '../../../scenario/model/scenario.ts'
import { listed, quoted } from '../../../scenario/model/words.ts'
import { runStore } from '../../session/run/runStore.ts'
import { keepRevealed } from '../../session/run/secrets.ts'
import { edit, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'

/** Shows what was hidden, here and in the scenario. */
export function reveal(session: Session, secret: Hidden): void {
  const now = secretName(scenarioStore(session).getState().draft, secret)
  keepRevealed(session, secret)
  edit(session, (scenario) => withoutHidden(scenario, secret))
  runStore(session).setState({ status: () => t('Revealed: {what}.', { what: now }) })
}

/** Returns what people call it: `the service time of "Encode"`, `the policy`. */
export function secretName({ stages }: Scenario, secret: Hidden): string {
  if (secret.kind === 'policy') return t('the policy')
  return t('the service time of {stage}', { stage: quoted(stages.find(({ id }) => id === secret.stage)?.name ?? secret.stage) })
}

/** Returns the same as a heading. */
export function secretTitle({ stages }: Scenario, secret: Hidden): string {
  if (secret.kind === 'policy') return t('The policy')
  return t('The service time of {name}', { name: stages.find(({ id }) => id === secret.stage)?.name ?? secret.stage })
}

/** Returns the status line after a scenario that hides something was opened. */
export function mysteryNotice(scenario: Scenario): string {
  return t('This scenario hides {what}. Press Run, watch, and guess.', { what: listed(scenario.hidden.map((secret) => secretName(scenario, secret))) })
}
