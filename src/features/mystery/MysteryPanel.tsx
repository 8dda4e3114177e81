import { useId } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { Button } from '../../app/base/controls/Button.tsx'
import type { SelectOption } from '../../app/base/controls/Select.tsx'
import { Choice, Field, WordInput } from '../../app/base/forms/fields.tsx'
import { readDuration } from '../../app/base/forms/typedText.ts'
import { useRunResults } from '../../app/explain/results/runResults.ts'
import { runStore } from '../../app/session/run/runStore.ts'
import { scenarioStore } from '../../app/session/scenario/scenarioStore.ts'
import { useSecrets } from '../../app/session/secrets/secrets.ts'
import { reveal, secretName, secretTitle } from '../../app/session/secrets/secretWords.ts'
import { part } from '../../app/session/session.ts'
import { useSession } from '../../app/session/useSession.ts'
import { serviceMean } from '../../scenario/model/distributions.ts'
import { placeOf } from '../../scenario/model/hidden.ts'
import type { Hidden, Micros, PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import { listed } from '../../scenario/model/words.ts'
import './mystery.css'
import { t } from '../../language/translate.ts'
import { type Metrics, stageLoadOf } from '../../measures/figures/metrics.ts'
import { policies, policyGroups } from '../../scenario/model/policies.ts'
import { count, duration, fixed, rate } from '../../views/drawing/format.ts'

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
    return { label: t('Policy'), options: allPolicies(), hints: policyHints(kind, figures), answerTo }
  }
  function serviceGuess(s: number): GuessParts | null {
    if (s < 0) return null
    const { name, service } = scenario.stages[s]
    const answerTo = (guess: string) => {
      const read = readDuration(guess)
      if ('message' in read) return read.message
      if (read.value <= 0) return t('allowed: times such as 4 ms or 1.5 s')
      return serviceAnswer(read.value, serviceMean(service), figures?.stages[s]?.meanService ?? null)
    }
    return {
      label: t('Mean'),
      options: null,
      hints: serviceHints(name, s, sameStages(scenario, run?.scenario) ? figures : null),
      answerTo,
    }
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
        const parts =
          secret.kind === 'policy'
            ? policyGuess()
            : serviceGuess(scenario.stages.findIndex(({ id }) => id === secret.stage))
        return (
          parts && <GuessForm key={placeOf(secret)} secret={secret} title={secretTitle(scenario, secret)} {...parts} />
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

/** Returns whether the run has the stages that are on the canvas. */
function sameStages({ stages }: Scenario, played: Scenario | undefined): boolean {
  return (
    played !== undefined &&
    stages.length === played.stages.length &&
    stages.every(({ id }, s) => id === played.stages[s].id)
  )
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
function GuessForm({
  secret,
  title,
  label,
  options,
  hints,
  answerTo,
}: GuessParts & { readonly secret: Hidden; readonly title: string }) {
  const session = useSession()
  const id = useId()
  const key = `${scenarioStore(session).getState().opened} ${placeOf(secret)}`
  const { guess, answer, hints: shown } = useStore(guessStore(session), (all) => all[key] ?? notStarted)
  const keep = (change: Partial<Guessing>) =>
    guessStore(session).setState((all) => ({ [key]: { ...(all[key] ?? notStarted), ...change } }))
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
          <WordInput
            id={id}
            value={guess}
            aria-describedby={`${id}-note`}
            spellCheck={false}
            onChange={(event) => change(event.target.value)}
          />
        </Field>
      ) : (
        <Choice label={label} value={guess} options={[['', t('Choose a policy')], ...options]} choose={change} />
      )}
      <div className="mystery-actions">
        <button type="submit" className="button" disabled={guess.trim() === ''}>
          {t('Check my guess')}
        </button>
        {shown < hints.length && (
          <Button onClick={() => keep({ hints: shown + 1 })} text={shown === 0 ? t('Hint') : t('Next hint')} />
        )}
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

/** A guess is right within this share of the mean. */
const RIGHT = 0.02
/** A guess is close up to the first factor, and far from the second. The answer never tells by how much: that would reveal the value. */
const [CLOSE, FAR] = [1.25, 3]

/** Returns whether a guess is right, too high or too low, and how close. The declared mean and that of the run are both right. */
export function serviceAnswer(guess: Micros, declared: Micros, measured: Micros | null): string {
  const text = duration(guess)
  const isRight = (mean: Micros) => Math.abs(guess / mean - 1) <= RIGHT
  if (isRight(declared)) return t('Right: {guess} is within 2% of the mean service time.', { guess: text })
  if (measured !== null && isRight(measured))
    return t('Right: {guess} is within 2% of the mean in this run.', { guess: text })
  const high = guess > declared
  const times = high ? guess / declared : declared / guess
  if (times <= CLOSE)
    return high
      ? t('{guess} is close, but too high.', { guess: text })
      : t('{guess} is close, but too low.', { guess: text })
  if (times >= FAR)
    return high ? t('{guess} is far too high.', { guess: text }) : t('{guess} is far too low.', { guess: text })
  return high ? t('{guess} is too high.', { guess: text }) : t('{guess} is too low.', { guess: text })
}

const allPolicies = (): readonly SelectOption<PolicyKind>[] =>
  policyGroups.flatMap(({ title, kinds }) => kinds.map((kind) => [kind, policies[kind].name(), title()] as const))

export function policyAnswer(guess: PolicyKind, truth: PolicyKind): string {
  const name = policies[guess].name()
  if (guess === truth) return t('Right: it is {name}.', { name })
  const group = groupOf(guess)
  return groupOf(truth) === group
    ? t('It is not {name}, but a policy of the same group: {group}.', { name, group })
    : t('It is not {name}, and not a policy of its group: {group}.', { name, group })
}

/** Returns the hints about a service time, the vaguest first. Without figures of a run the last ones ask for a run. */
export function serviceHints(name: string, s: number, figures: Metrics | null): readonly string[] {
  const law = t(
    'Utilisation law: busy workers = jobs per second × service time. It is Little’s law for the jobs in service.',
  )
  const none = t('Run it to the end, and this hint shows figures.')
  if (figures === null || figures.makespan === 0) return [law, none]
  const { busy, finished } = stageLoadOf(figures, s)
  const [workers, pace] = [fixed(busy, 2), rate((finished * 1e6) / figures.makespan)]
  return [
    law,
    t('{name} finished {finished} jobs in {makespan}, and {workers} workers were busy there on average.', {
      name,
      finished: count(finished),
      makespan: duration(figures.makespan),
      workers,
    }),
    t('So the service time is {workers} workers divided by {pace}.', { workers, pace }),
  ]
}

/** Returns the hints about a policy, the vaguest first. */
export function policyHints(truth: PolicyKind, figures: Metrics | null): readonly string[] {
  return [
    t(
      'Watch the half circle while one queue grows: seats may follow the longest queue, the most work, or nothing at all.',
    ),
    t('It belongs to this group: {group}.', { group: groupOf(truth) }),
    figures === null
      ? t('Run it to the end, and this hint shows figures.')
      : t(
          'Compare plays the same jobs under other policies. This run has a makespan of {makespan} and {switches} changes of stage.',
          {
            makespan: duration(figures.makespan),
            switches: count(figures.switches),
          },
        ),
  ]
}

function groupOf(kind: PolicyKind): string {
  return policyGroups.find(({ kinds }) => kinds.includes(kind))?.title() ?? ''
}
