import { useId } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { Button } from '../../app/base/controls/Button.tsx'
import { policyOptions, type SelectOption } from '../../app/base/controls/Select.tsx'
import { Choice, Field, WordInput } from '../../app/base/forms/fields.tsx'
import { readDuration } from '../../app/base/forms/typedText.ts'
import { useRunResults } from '../../app/explain/results/runResults.ts'
import { runStore } from '../../app/session/run/runStore.ts'
import { scenarioStore } from '../../app/session/scenario/scenarioStore.ts'
import { useSecrets } from '../../app/session/secrets/secrets.ts'
import { reveal, secretName, secretTitle } from '../../app/session/secrets/secretWords.ts'
import { part } from '../../app/session/session.ts'
import { useSession } from '../../app/session/useSession.ts'
import { t } from '../../language/translate.ts'
import { serviceMean } from '../../scenario/model/distributions.ts'
import { placeOf } from '../../scenario/model/hidden.ts'
import type { Hidden, PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import { listed } from '../../scenario/model/words.ts'
import { policyAnswer, policyHints, serviceAnswer, serviceHints } from './guessWords.ts'
import './mystery.css'

/** The secrets of the scenario: a guess for each, how close it is, hints, and the reveal. It replaces the decisions, which would give them away. */
export function MysteryPanel() {
  const session = useSession()
  const run = useStore(runStore(session), (state) => state.run)
  const draft = useStore(scenarioStore(session), (state) => state.draft)
  const { all } = useSecrets()
  const results = useRunResults()
  // After an edit of the canvas only the run may have secrets.
  const scenario = draft.hidden.length > 0 ? draft : (run?.scenario ?? draft)
  const figures = results === null || results.run !== run ? null : results.figures
  function policyGuess(): GuessParts {
    const { kind } = scenario.policy
    const answerTo = (guess: string) => policyAnswer(guess as PolicyKind, kind)
    return { label: t('Policy'), options: policyOptions(null), hints: policyHints(kind, figures), answerTo }
  }
  function serviceGuess(s: number): GuessParts | null {
    if (s < 0) return null
    const { name, service } = scenario.stages[s]
    const answerTo = (guess: string) => {
      const read = readDuration(guess)
      if ('message' in read) return read.message
      if (read.value <= 0) return t('allowed: a time such as 4 ms, 250 us or 1.5 s')
      return serviceAnswer(read.value, serviceMean(service), figures?.stages[s]?.meanService ?? null)
    }
    return { label: t('Mean'), options: null, hints: serviceHints(name, s, sameStages(scenario, run?.scenario) ? figures : null), answerTo }
  }
  return (
    <article className="panel-part mystery" aria-label={t('What is hidden?')}>
      <header>
        <h2>{t('What is hidden?')}</h2>
      </header>
      <p>
        {t('This scenario hides {what}.', { what: listed(all.map((secret) => secretName(scenario, secret))) })}{' '}
        {run === null
          ? t('Press Run, watch the queues and the workers, and guess.')
          : t('Watch the queues and the workers, and guess. Results shows figures when the run has ended.')}
      </p>
      {all.map((secret) => {
        const parts = secret.kind === 'policy' ? policyGuess() : serviceGuess(scenario.stages.findIndex(({ id }) => id === secret.stage))
        return parts && <GuessForm key={placeOf(secret)} secret={secret} title={secretTitle(scenario, secret)} {...parts} />
      })}
      <p className="soft note">
        {t(
          'Decisions are explained here after the reveal: their votes and quotients would give the answer away. The link holds the answer too, sealed but not encrypted.',
        )}
      </p>
    </article>
  )
}

/** Returns whether the run has the stages that are on the canvas. */
function sameStages({ stages }: Scenario, played: Scenario | undefined): boolean {
  return played !== undefined && stages.length === played.stages.length && stages.every(({ id }, s) => id === played.stages[s].id)
}

interface GuessParts {
  readonly label: string
  /** The choices; null: a time is typed. */
  readonly options: readonly SelectOption<string>[] | null
  readonly hints: readonly string[]
  /** Returns how close a guess is. */
  answerTo(guess: string): string
}

/** One thing to guess. */
function GuessForm({ secret, title, label, options, hints, answerTo }: GuessParts & { readonly secret: Hidden; readonly title: string }) {
  const session = useSession()
  const id = useId()
  const key = `${scenarioStore(session).getState().opened} ${placeOf(secret)}`
  const { guess, answer, hints: shown } = useStore(guessStore(session), (all) => all[key] ?? notStarted)
  const keep = (change: Partial<Guessing>) => guessStore(session).setState((all) => ({ [key]: { ...(all[key] ?? notStarted), ...change } }))
  const change = (text: string) => keep({ guess: text, answer: null })
  const show = () => {
    reveal(session, secret)
    document.getElementById('tab-decision')?.focus()
  }
  return (
    <form
      className="form mystery-guess"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault()
        if (guess.trim() !== '') keep({ answer: answerTo(guess) })
      }}
    >
      <h3>{title}</h3>
      {options === null ? (
        <Field id={id} label={label} message={null} hint={t('A time such as 4 ms')}>
          <WordInput id={id} value={guess} aria-describedby={`${id}-note`} spellCheck={false} onChange={(event) => change(event.target.value)} />
        </Field>
      ) : (
        <Choice label={label} value={guess} options={[['', t('Choose a policy')], ...options]} choose={change} />
      )}
      <div className="mystery-actions">
        <button type="submit" className="button" disabled={guess.trim() === ''}>
          {t('Check my guess')}
        </button>
        {shown < hints.length && <Button onClick={() => keep({ hints: shown + 1 })} text={shown === 0 ? t('Hint') : t('Next hint')} />}
        <Button onClick={show} text={t('Reveal')} />
      </div>
      <p className="mystery-answer" aria-live="polite">
        {answer}
      </p>
      {shown > 0 && (
        <ol className="mystery-hints" aria-live="polite">
          {hints.slice(0, shown).map((hint) => (
            <li key={hint}>{hint}</li>
          ))}
        </ol>
      )}
    </form>
  )
}

/** The state of one guess. */
interface Guessing {
  /** As typed or chosen. */
  readonly guess: string
  /** The answer to the latest checked guess; null before the first. */
  readonly answer: string | null
  /** How many hints are shown. */
  readonly hints: number
}

const notStarted: Guessing = { guess: '', answer: null, hints: 0 }

/** Guesses by the opening of the scenario and by secret: they stay while another tab is open. */
const guessStore = part(() => createStore<Readonly<Record<string, Guessing>>>(() => ({})))
