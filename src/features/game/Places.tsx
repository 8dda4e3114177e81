import type { ReactNode } from 'react'
import { Button } from '../../app/base/controls/Button.tsx'
import { Swatch } from '../../app/base/ui/Table.tsx'
import { useSecrets } from '../../app/session/secrets/secrets.ts'
import { useSession } from '../../app/session/useSession.ts'
import { t } from '../../language/translate.ts'
import type { State } from '../../pipeline/state.ts'
import { stageNumbers } from '../../scenario/model/linearStages.ts'
import { duration } from '../../views/drawing/format.ts'
import type { SeatChoice } from './byHand.ts'
import { countSentTo, MAX_KEYS, type Playing, sendWorker, takeBackWorker, WAIT } from './game.ts'

type Props = { readonly playing: Playing; readonly choice: SeatChoice; readonly counts: State['counts']; readonly here: readonly number[] }

/** Where free workers can be sent: each stage in the order of the pipeline; the last place lets a worker wait. */
export function Places({ playing: { base, going }, choice, counts: { waiting, finished, serviceSum }, here }: Props) {
  const idle = choice.mayWait === 0 ? t('not now: no other worker is busy') : t('idle until the next turn')
  const { services } = useSecrets()
  const waits = countSentTo(going, WAIT)
  return (
    <ol className="beat-stages">
      {stageNumbers(base).map((s, k) => {
        const { id, name } = base.stages[s]
        const figures = [
          t('{n, number} waiting', { n: waiting[s] }),
          ...(waiting[s] > 0 && choice.open[s] === 0 ? [t('none can start')] : []),
          t('{n, number} at work', { n: choice.busy[s] }),
          ...(here[s] > 0 ? [t('{n, number} free here', { n: here[s] })] : []),
          services.has(id) ? t('? per job') : finished[s] === 0 ? t('never measured') : t('{mean} per job', { mean: duration(serviceSum[s] / finished[s]) }),
        ]
        const sent = countSentTo(going, s)
        return (
          <Place
            key={id}
            place={s}
            shortcut={k < MAX_KEYS ? k + 1 : null}
            name={
              <>
                <Swatch stage={s} /> {name}
              </>
            }
            about={figures.join(' · ')}
            label={t('Send a worker to {name}: {figures}', { name, figures: figures.join(', ') })}
            limit={choice.open[s]}
            sent={sent}
            back={t('{sent, plural, one {# sent to {name}; take one back} other {# sent to {name}; take one back}}', { sent, name })}
          />
        )
      })}
      <Place
        place={WAIT}
        shortcut={0}
        name={t('Let one wait')}
        about={idle}
        label={t('Let one wait: {about}', { about: idle })}
        limit={choice.mayWait}
        sent={waits}
        back={t('{sent, plural, one {# waits; take one back} other {# wait; take one back}}', { sent: waits })}
      />
    </ol>
  )
}

interface PlaceProps {
  readonly place: number
  readonly shortcut: number | null
  readonly name: ReactNode
  readonly about: string
  readonly label: string
  readonly limit: number
  readonly sent: number
  readonly back: string
}

function Place({ place, shortcut, name, about, label, limit, sent, back }: PlaceProps) {
  const session = useSession()
  return (
    <li data-beat-place={place}>
      <Button
        className="beat-stage"
        disabled={limit === 0}
        aria-disabled={sent >= limit}
        aria-label={label}
        aria-keyshortcuts={shortcut === null ? undefined : String(shortcut)}
        onClick={() => sendWorker(session, place)}
      >
        {shortcut !== null && <kbd>{shortcut}</kbd>}
        <span className="beat-name">{name}</span>
        <small className="soft">{about}</small>
      </Button>
      {sent > 0 && (
        <Button
          className="beat-sent"
          aria-label={back}
          title={t('Take one back (Backspace)')}
          onClick={({ currentTarget }) => {
            takeBackWorker(session, place)
            // The button is removed with the last worker, so the focus moves.
            if (sent === 1) (currentTarget.previousElementSibling as HTMLElement).focus()
          }}
        >
          +{sent}
        </Button>
      )}
    </li>
  )
}
