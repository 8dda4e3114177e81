import { type DragEvent, type ReactNode, useState } from 'react'
import { t } from '../../../language/translate.ts'
import type { SeatMove } from '../../../measures/decisions/decision.ts'
import { type Trial, trialOf, trialSentence, withSeat } from '../../../measures/decisions/whyNot.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { duration, timeChange } from '../../../views/drawing/format.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { scaleFor } from '../../../views/drawing/scale.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Fold } from '../../base/controls/Fold.tsx'
import { currentPalette } from '../../base/page/theme.ts'
import { ColouredText } from '../../base/ui/ColouredText.tsx'
import { StageHead, Table } from '../../base/ui/Table.tsx'
import { Translated } from '../../base/ui/Translated.tsx'
import type { DecisionProps } from './DecisionVotes.tsx'

/** Up to this many seats are drawn one by one; more are shown as a number. */
const DRAWN = 8
/** The type of a dragged seat, among all that may be dropped on a page. */
const SEAT = 'application/x-apportion-seat'

/** Seats moved by hand: what would the expected time have been? The seats are those of the first render, so give it a key. */
export function WhyNot({ scenario, decision }: DecisionProps) {
  const given = decision.stages.map(({ seatsAfter }) => seatsAfter)
  const [seats, setSeats] = useState<readonly number[]>(given)
  if (decision.workers === 0 || decision.stages.every(({ work }) => work === 0)) return null
  const trial = trialOf(decision, seats)
  const changed = seats.some((n, s) => n !== given[s])
  const move = (from: number, to: number) => setSeats(withSeat(decision, withSeat(decision, seats, from, -1), to, 1))
  return (
    <Fold id="whyNot" head={<h3>{t('Why not?')}</h3>}>
      <p className="why-not" aria-live="polite">
        {changed ? (
          <ColouredText parts={trialSentence(scenario, trial, duration)} />
        ) : decision.alternative !== null && decision.others.length > 0 ? (
          <BestMove scenario={scenario} alternative={decision.alternative} />
        ) : (
          t('Change the targets to see another expected time.')
        )}
      </p>
      <Table
        className="seat-table"
        heads={[t('Stage'), t('target'), t('its time')]}
        foot={
          <tr>
            <th scope="row">{t('Expected time')}</th>
            <td>{changed && <Button className="link" onClick={() => setSeats(given)} text={t('Reset')} />}</td>
            <td>
              <strong>{duration(trial.scoreAfter)}</strong>
            </td>
          </tr>
        }
      >
        {stageNumbers(scenario).map((s) => (
          <SeatRow
            key={scenario.stages[s].id}
            name={scenario.stages[s].name}
            stage={s}
            done={decision.stages[s].done}
            trial={trial}
            put={(by) => setSeats(withSeat(decision, seats, s, by))}
            receive={(from) => !decision.stages[s].done && move(from, s)}
          />
        ))}
      </Table>
    </Fold>
  )
}

interface RowProps {
  readonly name: string
  readonly stage: number
  readonly done: boolean
  readonly trial: Trial
  put(by: 1 | -1): void
  receive(from: number): void
}

/** The seats of a stage. `receive`: takes a seat of another stage that was dropped here. */
function SeatRow({ name, stage, done, trial, put, receive }: RowProps) {
  const seats = trial.seats[stage]
  const { fill } = stageColour(currentPalette(), stage)
  const slower = trial.after[stage] > trial.before[stage]
  const faster = trial.after[stage] < trial.before[stage]
  const take = (event: DragEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  const over = (event: DragEvent) => event.dataTransfer.types.includes(SEAT) && !done && take(event)
  const drop = (event: DragEvent) => {
    const from = Number.parseInt(event.dataTransfer.getData(SEAT), 10)
    if (Number.isNaN(from) || from === stage) return
    take(event)
    receive(from)
  }
  return (
    <tr className={done ? 'done' : undefined} onDragOver={over} onDrop={drop}>
      <StageHead stage={stage} name={name} />
      <td>
        <span className="seat-row">
          {seats <= DRAWN && (
            <span className="seat-dots" aria-hidden="true">
              {Array.from({ length: seats }, (_, i) => (
                // biome-ignore lint/a11y/noStaticElementInteractions: the buttons beside it do the same by keyboard
                // biome-ignore lint/a11y/useKeyWithClickEvents: as well
                <span
                  // biome-ignore lint/suspicious/noArrayIndexKey: one seat of a stage is like another
                  key={i}
                  className="seat-dot"
                  style={{ background: fill }}
                  title={t('Drag to another stage')}
                  draggable
                  onClick={() => put(-1)}
                  onDragStart={(event) => {
                    event.dataTransfer.setData(SEAT, String(stage))
                    event.dataTransfer.effectAllowed = 'move'
                  }}
                />
              ))}
            </span>
          )}
          <Button
            className="icon"
            aria-label={t('Lower the target for {name}', { name })}
            aria-disabled={seats === 0}
            onClick={() => put(-1)}
            text="−"
          />
          <strong>{seats}</strong>
          <Button
            className="icon"
            aria-label={t('Raise the target for {name}', { name })}
            aria-disabled={trial.inHand <= 0 || done}
            title={trial.inHand <= 0 ? t('First lower another target') : undefined}
            onClick={() => put(1)}
            text="+"
          />
        </span>
      </td>
      <td className={slower ? 'slower' : faster ? 'faster' : undefined}>{duration(trial.after[stage])}</td>
    </tr>
  )
}

function BestMove({ scenario, alternative }: { readonly scenario: Scenario; readonly alternative: SeatMove }) {
  const { scoreBefore: before, scoreAfter: after } = alternative
  const { text, unit } = scaleFor([before, after])
  const { stages } = scenario
  const named = (s: number) => (inside: ReactNode) => (
    <strong style={{ color: stageColour(currentPalette(), s).text }}>{inside}</strong>
  )
  const values = {
    one: stages[alternative.from].name,
    other: stages[alternative.to].name,
    before: text(before),
    after: `${text(after)} ${unit}`,
    change: before > 0 ? ` (${timeChange(after / before)})` : '',
  }
  const tags = { from: named(alternative.from), to: named(alternative.to) }
  return (
    <Translated
      text="One worker fewer for <from>{one}</from>, one more for <to>{other}</to>: expected time <b>{before}</b> to <b>{after}</b>{change}."
      values={values}
      tags={tags}
    />
  )
}
