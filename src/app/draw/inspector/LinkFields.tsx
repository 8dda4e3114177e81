import { t } from '../../../language/translate.ts'
import { setFanOut } from '../../../scenario/edit/edits.ts'
import type { FanOut, Join, Scenario, Stage } from '../../../scenario/model/scenario.ts'
import { percent } from '../../../views/drawing/format.ts'
import { type Bound, inside, shownAs } from '../../base/forms/bound.ts'
import { NumberField, SelectField } from '../../base/forms/fields.tsx'
import { RemoveButton } from '../../base/forms/IconButton.tsx'
import { useSession } from '../../session/useSession.ts'
import { unlinkStages } from '../editing/actions.ts'
import { stagePart } from './bounds.ts'

const fanOuts = (): readonly (readonly ['copy' | 'route', string])[] => [
  ['copy', t('A copy to each')],
  ['route', t('One way each, by weight')],
]
const joins = (): readonly (readonly [Join, string])[] => [
  ['merge', t('Take each job as it comes')],
  ['all', t('Wait for all parts of a job')],
]

/** How incoming links meet and outgoing jobs go on, if there are several; and a button to remove each link. */
export function LinkFields({ draft, stage, index }: { readonly draft: Scenario; readonly stage: Stage; readonly index: number }) {
  const session = useSession()
  const { id, fanOut } = stage
  const bound: Bound<FanOut> = { ...stagePart(stage, index, 'fanOut'), change: (scenario, next) => setFanOut(scenario, id, next) }
  const into = draft.links.filter(([, to]) => to === id)
  const ways = draft.links.filter(([from]) => from === id)
  if (into.length < 2 && ways.length < 2) return null
  const called = (to: string) => draft.stages.find((each) => each.id === to)?.name ?? t('the {to}', { to })
  const total = fanOut === 'copy' ? 0 : Object.values(fanOut.route).reduce((sum, weight) => sum + weight, 0)
  return (
    <>
      <h3>{t('Links')}</h3>
      {into.length > 1 && <SelectField label={t('From {length} stages', { length: into.length })} {...stagePart(stage, index, 'join')} options={joins()} />}
      {ways.length > 1 && (
        <>
          <SelectField
            label={t('To {length} stages', { length: ways.length })}
            {...shownAs(
              bound,
              (now) => (now === 'copy' ? 'copy' : 'route'),
              (kind) => (kind === 'copy' ? 'copy' : evenly(ways.map(([, to]) => to))),
            )}
            options={fanOuts()}
          />
          {fanOut !== 'copy' &&
            ways.map(([, to]) => (
              <NumberField
                key={to}
                label={called(to)}
                hint={t('{route} of the jobs', { route: percent(fanOut.route[to] / total, 1) })}
                {...inside(inside({ ...bound, value: fanOut }, 'route'), to)}
                after={<RemoveButton label={t('Remove the link to {stage}', { stage: called(to) })} onClick={() => unlinkStages(session, [id, to])} />}
              />
            ))}
        </>
      )}
    </>
  )
}

function evenly(ids: readonly string[]): FanOut {
  return { route: Object.fromEntries(ids.map((id) => [id, 1])) }
}
