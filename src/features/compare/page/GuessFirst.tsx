import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { playback } from '../../../app/session/run/playback.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { part } from '../../../app/session/session.ts'
import { study, useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { GuessBar } from '../../../app/shell/front/FrontGuess.tsx'
import { t } from '../../../language/translate.ts'
import { isWhole } from '../../../measures/figures/comparison.ts'
import { makespanOf } from '../../../measures/figures/totals.ts'
import { kindName, policyName } from '../../../scenario/model/policies.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { duration } from '../../../views/drawing/format.ts'
import { type Entrant, entrantsKey, entrantsUnder } from './comparing.ts'
import { baselines, type PlayedRuns, playEach } from './judging.ts'

/** A guess belongs to one opening of a scenario. `first`: the scenario of its first run, null before that has been watched. */
const guessStore = part(() => createStore(() => ({ opened: -1, guess: null as number | null, first: null as Scenario | null })))

const guessStudy = study<readonly Entrant[], PlayedRuns>({ key: entrantsKey, work: playEach })

/** Asks how long the first run of a scenario will take, beside the time of fixed workers. Afterwards one picture shows the guess and the result. */
export function GuessFirst() {
  const session = useSession()
  const { scenario, opened } = useStore(scenarioStore(session))
  const { run, phase, playing } = useStore(runStore(session))
  const kept = useStore(guessStore(session))
  const { guess, first } = kept.opened === opened ? kept : { guess: null, first: null }
  const asked = run?.scenario ?? scenario
  const others = baselines.filter((kind) => kind !== asked.policy.kind)
  const { found } = useStudy(guessStudy, entrantsUnder(asked, others), true).state
  const watched = run !== null && phase === 'ended' && !playing && playback(session).time > 0
  useEffect(() => {
    if (watched && first === null) guessStore(session).setState({ opened, guess, first: run.scenario })
  }, [session, watched, first, opened, guess, run])
  const base = others.find((kind) => isFull(found?.get(kind)))
  if (base === undefined || (run !== null && first !== null && run.scenario !== first)) return null
  const fixed = found?.get(base)?.metrics.makespan ?? 0
  const ask = t('With “{base}” it takes {time}. How long with “{policy}”? Drag the marker, or just press Run.', {
    base: kindName(base, asked.policy),
    time: duration(fixed),
    policy: policyName(asked.policy),
  })
  const setGuess = (guess: number) => guessStore(session).setState({ opened, guess, first: null })
  return (
    <section className={`panel-part front-guess${run === null ? ' asks' : ''}`} aria-label={t('Your guess')}>
      <GuessBar
        ask={ask}
        guess={guess}
        setGuess={run === null ? setGuess : null}
        fixed={fixed}
        moved={first === null || run === null ? 0 : makespanOf(run.trace)}
        time={duration}
      />
    </section>
  )
}

const isFull = (played: ReturnType<PlayedRuns['get']>) => played?.ending === 'drained' && isWhole(played.metrics)
