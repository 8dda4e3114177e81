import { t } from '../../../language/translate.ts'
import { serviceMean } from '../../../scenario/model/distributions.ts'
import { withoutHidden } from '../../../scenario/model/hidden.ts'
import { policyName } from '../../../scenario/model/policies.ts'
import type { Hidden, Scenario } from '../../../scenario/model/scenario.ts'
import { listed, quoted } from '../../../scenario/model/words.ts'
import { duration } from '../../../views/drawing/format.ts'
import { runStore } from '../run/runStore.ts'
import { edit, scenarioStore } from '../scenario/scenarioStore.ts'
import type { Session } from '../session.ts'
import { keepRevealed } from './secrets.ts'

/** Shows what was hidden, here and in the scenario. */
export function reveal(session: Session, secret: Hidden): void {
  const { draft } = scenarioStore(session).getState()
  keepRevealed(session, secret)
  edit(session, (scenario) => withoutHidden(scenario, secret))
  runStore(session).setState({ status: () => revealedSentence(draft, secret) })
}

function revealedSentence(scenario: Scenario, secret: Hidden): string {
  if (secret.kind === 'policy') return t('Revealed: the policy is {name}.', { name: policyName(scenario.policy) })
  const stage = scenario.stages.find(({ id }) => id === secret.stage)
  const what = secretName(scenario, secret)
  return stage === undefined
    ? t('Revealed: {what}.', { what })
    : t('Revealed: {what} is {mean} on average.', { what, mean: duration(serviceMean(stage.service)) })
}

/** Returns the name of a secret: `the service time of "Encode"`, `the policy`. */
export function secretName({ stages }: Scenario, secret: Hidden): string {
  if (secret.kind === 'policy') return t('the policy')
  return t('the service time of {stage}', {
    stage: quoted(stages.find(({ id }) => id === secret.stage)?.name ?? secret.stage),
  })
}

export function secretTitle({ stages }: Scenario, secret: Hidden): string {
  if (secret.kind === 'policy') return t('The policy')
  return t('The service time of {name}', { name: stages.find(({ id }) => id === secret.stage)?.name ?? secret.stage })
}

/** Returns the status line after a scenario that hides something was opened. */
export function mysteryNotice(scenario: Scenario): string {
  return t('This scenario hides {what}. Press Run, watch, and guess.', {
    what: listed(scenario.hidden.map((secret) => secretName(scenario, secret))),
  })
}
