import { useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Select } from '../../../app/base/controls/Select.tsx'
import { useLater } from '../../../app/base/page/useLater.ts'
import { openScenario } from '../../../app/session/run/opening.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { start } from '../../../app/session/run/startStop.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { levelsToPlay } from '../../game/scores.ts'
import type { RoomQuestion, RoomRound } from '../protocol/rounds.ts'
import { beginClassGame, classGame, whyNoGame } from './gameRound.ts'
import { roundStore, tellRound, withdrawRound } from './hostRounds.ts'
import { askRoom } from './questionRound.ts'
import { ClassBoard, QuestionState } from './RoundState.tsx'

/** The activities of a class in the room: a question before a run, or a game against the scheduler. */
export function ClassPart() {
  const session = useSession()
  const { round, refused } = useStore(roundStore(session))
  return (
    <section className="class-part" aria-label={t('In class')}>
      <h3>{t('In class')}</h3>
      {round === null ? (
        <>
          <AskForm />
          <GameStart />
        </>
      ) : round.kind === 'question' ? (
        <>
          <QuestionState round={round} />
          <QuestionButtons round={round} />
        </>
      ) : (
        <GameState round={round} />
      )}
      {refused > 0 && (
        <p className="soft">
          {t('{n, plural, one {# message could not be read.} other {# messages could not be read.}}', { n: refused })}
        </p>
      )}
    </section>
  )
}

function AskForm() {
  const session = useSession()
  const { stages } = useStore(scenarioStore(session), ({ scenario }) => scenario)
  const [kind, setKind] = useState<RoomQuestion['kind']>('peak')
  const [chosen, setStage] = useState('')
  const [failed, setFailed] = useState(false)
  const stage = stages.some(({ id }) => id === chosen) ? chosen : (stages[Math.floor(stages.length / 2)]?.id ?? '')
  return (
    <form
      className="class-ask"
      onSubmit={(event) => {
        event.preventDefault()
        setFailed(!askRoom(session, { kind, stage }))
      }}
    >
      <label>
        <span>{t('Question')}</span>
        <Select
          value={kind}
          options={[
            ['peak', t('Most workers at a stage')],
            ['makespan', t('How long the run takes')],
            ['longestWait', t('Where jobs wait longest')],
          ]}
          choose={setKind}
        />
      </label>
      {kind === 'peak' && (
        <label>
          <span>{t('Stage')}</span>
          <Select value={stage} options={stages.map(({ id, name }) => [id, name])} choose={setStage} />
        </label>
      )}
      <button type="submit" className="button">
        {t('Ask the room')}
      </button>
      {failed && (
        <p className="warning" role="alert">
          {t('The names of the stages are too long for one message.')}
        </p>
      )}
    </form>
  )
}

function QuestionButtons({ round: { open, right } }: { readonly round: RoomRound & { readonly kind: 'question' } }) {
  const session = useSession()
  const running = useStore(runStore(session), ({ phase }) => phase === 'running')
  if (right !== null) return <Button onClick={() => withdrawRound(session)} text={t('Next round')} />
  return (
    <p className="class-acts">
      {!running && <Button onClick={() => void start(session)} text={open ? t('Close and run') : t('Run')} />}
      <Button className="link" onClick={() => withdrawRound(session)} text={t('Withdraw the question')} />
    </p>
  )
}

function GameStart() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const levels = useLater('levels', levelsToPlay) ?? []
  const known = useLater(scenario, async (each) => ({ why: await whyNoGame(each) }))
  return (
    <div className="class-ask">
      <p>{t('Beat the scheduler: everyone assigns the workers of this scenario on their own device, turn by turn.')}</p>
      <label>
        <span>{t('Scenario')}</span>
        <Select
          value={levels.find((level) => level.scenario === scenario)?.key ?? ''}
          options={[
            ['', scenario.title || t('This scenario')],
            ...levels.map(({ key, title }) => [key, title] as const),
          ]}
          choose={(key) => {
            const level = levels.find((each) => each.key === key)
            if (level !== undefined) openScenario(session, level.scenario)
          }}
        />
      </label>
      {known?.why != null && (
        <p className="soft">
          {t('{title} cannot be played as a game: {reason}.', {
            title: scenario.title || t('This scenario'),
            reason: known.why,
          })}
        </p>
      )}
      <Button
        disabled={known === null || known.why !== null}
        onClick={() => beginClassGame(session)}
        text={t('Start the game')}
      />
    </div>
  )
}

const LISTED = 30

function GameState({ round }: { readonly round: RoomRound & { readonly kind: 'game' } }) {
  const session = useSession()
  const { base } = useStore(classGame(session))
  if (base === null) return null
  return (
    <>
      <p className="class-question">{t('Beat the scheduler')}</p>
      <ClassBoard base={base} most={LISTED} />
      {round.open ? (
        <Button onClick={() => tellRound(session, { ...round, open: false })} text={t('End the game')} />
      ) : (
        <Button onClick={() => withdrawRound(session)} text={t('Next round')} />
      )}
    </>
  )
}
