import { useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Select } from '../../../app/base/controls/Select.tsx'
import { runStore } from '../../../app/session/run/runStore.ts'
import { start } from '../../../app/session/run/startStop.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import type { RoomQuestion, RoomRound } from '../protocol/rounds.ts'
import { askRoom, questionAbout, questionKinds, roundStore, withdrawRound } from './hostQuestion.ts'
import { QuestionState } from './QuestionState.tsx'
import { questionWords } from './roomWords.ts'

/** A question to the class in the room before a run. */
export function ClassPart() {
  const session = useSession()
  const { round } = useStore(roundStore(session))
  return (
    <section className="class-part" aria-label={t('In class')}>
      <h3>{t('In class')}</h3>
      {round === null ? (
        <AskForm />
      ) : (
        <>
          <QuestionState round={round} />
          <QuestionButtons round={round} />
        </>
      )}
    </section>
  )
}

function AskForm() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const { stages } = scenario
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
          options={questionKinds.map((kind) => {
            const question = questionAbout(scenario, { kind, stage })
            return [kind, question === null ? kind : questionWords(question)] as const
          })}
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

function QuestionButtons({ round: { right } }: { readonly round: RoomRound }) {
  const session = useSession()
  const running = useStore(runStore(session), ({ phase }) => phase === 'running')
  if (right !== null) return <Button onClick={() => withdrawRound(session)} text={t('Another question')} />
  return (
    <p className="class-acts">
      {!running && <Button onClick={() => void start(session)} text={t('Run')} />}
      <Button className="link" onClick={() => withdrawRound(session)} text={t('Another question')} />
    </p>
  )
}
