import { useStore } from 'zustand'
import { readDuration } from '../../app/base/forms/typedText.ts'
import { policyOptions } from '../../app/base/ui/policyOptions.ts'
import { useRunResults } from '../../app/explain/results/runResults.ts'
import { runStore } from '../../app/session/run/runStore.ts'
import { scenarioStore } from '../../app/session/scenario/scenarioStore.ts'
import { useSecrets } from '../../app/session/secrets/secrets.ts'
import { secretName, secretTitle } from '../../app/session/secrets/secretWords.ts'
import { useSession } from '../../app/session/useSession.ts'
import { t } from '../../language/translate.ts'
import { serviceMean } from '../../scenario/model/distributions.ts'
import { placeOf } from '../../scenario/model/hidden.ts'
import type { PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import { listed } from '../../scenario/model/words.ts'
import { GuessForm } from './GuessForm.tsx'
import { policyAnswer, policyHints, serviceAnswer, serviceHints } from './guessWords.ts'

/** What the scenario hides: a guess for each, how near it is, hints, and the reveal. It stands in place of the decisions, which would tell. */
export function MysteryPanel() {
  const session = useSession()
  const run = useStore(runStore(session), (state) => state.run)
  const draft = useStore(scenarioStore(session), (state) => state.draft)
  const { all } = useSecrets()
  const results = useRunResults()
  // What is hidden may stand in the run only, after an edit of the canvas.
  const scenario = draft.hidden.length > 0 ? draft : (run?.scenario ?? draft)
  const figures = results === null || results.run !== run ? null : results.figures
  return (
    <article className="panel-part mystery" aria-label={t('What is hidden?')}>
      <header>
        <h2>{t('What is hidden?')}</h2>
      </header>
      <p>
        {t('This scenario hides {what}.', { what: listed(all.map((secret) => secretName(scenario, secret))) })}{' '}
        {run === null
          ? t('Press Run, watch the queues and the workers, and guess.')
          : t('Watch the queues and the workers, and guess. Results has figures when the run has ended.')}
      </p>
      {all.map((secret) => {
        if (secret.kind === 'policy') {
          const { kind } = scenario.policy
          return (
            <GuessForm
              key={placeOf(secret)}
              secret={secret}
              title={secretTitle(scenario, secret)}
              label={t('Policy')}
              options={policyOptions(null)}
              hints={policyHints(kind, figures)}
              judge={(guess) => policyAnswer(guess as PolicyKind, kind)}
            />
          )
        }
        const s = scenario.stages.findIndex(({ id }) => id === secret.stage)
        if (s < 0) return null
        const { name, service } = scenario.stages[s]
        return (
          <GuessForm
            key={placeOf(secret)}
            secret={secret}
            title={secretTitle(scenario, secret)}
            label={t('Mean')}
            options={null}
            hints={serviceHints(name, s, sameStages(scenario, run?.scenario) ? figures : null)}
            judge={(guess) => {
              const read = readDuration(guess)
              if ('message' in read) return read.message
              if (read.value <= 0) return t('allowed: a time such as 4 ms, 250 us or 1.5 s')
              return serviceAnswer(read.value, serviceMean(service), figures?.stages[s]?.meanService ?? null)
            }}
          />
        )
      })}
      <p className="soft note">
        {t(
          'Decisions are explained here after the reveal: their votes and quotients would give the answer away. The link holds the answer too, sealed but not encrypted.',
        )}
      </p>
    </article>
  )
}

/** Returns whether figures of a run are about the stages on the canvas. */
function sameStages({ stages }: Scenario, played: Scenario | undefined): boolean {
  return played !== undefined && stages.length === played.stages.length && stages.every(({ id }, s) => id === played.stages[s].id)
}
