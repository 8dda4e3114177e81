import { t } from '../../../language/translate.ts'
import { setFanOut, setJoin } from '../../../scenario/edit/edits.ts'
import type { FanOut, Join, Scenario, Stage } from '../../../scenario/model/scenario.ts'
import { percent } from '../../../views/drawing/format.ts'
import { NumberField, SelectField } from '../../base/forms/fields.tsx'
import { IconButton } from '../../base/forms/IconButton.tsx'
import { useSession } from '../../session/useSession.ts'
import { unlink } from '../editing/actions.ts'

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
  const { id, fanOut, join } = stage
  const into = draft.links.filter(([, to]) => to === id)
  const ways = draft.links.filter(([from]) => from === id)
  const path = `stages[${index}]`
  if (into.length < 2 && ways.length < 2) return null
  const called = (to: string) => draft.stages.find((each) => each.id === to)?.name ?? t('the {to}', { to })
  const total = fanOut === 'copy' ? 0 : Object.values(fanOut.route).reduce((sum, weight) => sum + weight, 0)
  return (
    <>
      <h3>{t('Links')}</h3>
      {into.length > 1 && (
        <SelectField
          label={t('From {length} stages', { length: into.length })}
          path={`${path}.join`}
          value={join}
          options={joins()}
          change={(scenario, chosen) => setJoin(scenario, id, chosen)}
        />
      )}
      {ways.length > 1 && (
        <>
          <SelectField
            label={t('To {length} stages', { length: ways.length })}
            path={`${path}.fanOut`}
            value={fanOut === 'copy' ? 'copy' : 'route'}
            options={fanOuts()}
            change={(scenario, kind) => setFanOut(scenario, id, kind === 'copy' ? 'copy' : evenly(ways.map(([, to]) => to)))}
          />
          {fanOut !== 'copy' &&
            ways.map(([, to]) => (
              <NumberField
                key={to}
                label={called(to)}
                hint={t('{route} of the jobs', { route: percent(fanOut.route[to] / total, 1) })}
                path={`${path}.fanOut.route.${to}`}
                value={fanOut.route[to]}
                change={(scenario, weight) => setFanOut(scenario, id, { route: { ...routeOf(scenario, id), [to]: weight } })}
                after={
                  <IconButton
                    label={t('Remove the link to {stage}', { stage: called(to) })}
                    path="M4 4l8 8M12 4l-8 8"
                    onClick={() => unlink(session, [id, to])}
                  />
                }
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

function routeOf({ stages }: Scenario, id: string): Readonly<Record<string, number>> {
  const fanOut = stages.find((stage) => stage.id === id)?.fanOut
  return fanOut === undefined || fanOut === 'copy' ? {} : fanOut.route
}
