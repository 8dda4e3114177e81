import { t } from '../../../language/translate.ts'
import { setSource } from '../../../scenario/edit/edits.ts'
import { partDefaults } from '../../../scenario/model/defaults.ts'
import { countJobs } from '../../../scenario/model/limits.ts'
import type { Order, Scenario, Source } from '../../../scenario/model/scenario.ts'
import { count } from '../../../views/drawing/format.ts'
import { Button } from '../../base/controls/Button.tsx'
import { type Bound, inside, kindOf, shownAs } from '../../base/forms/bound.ts'
import { NumberField, SelectField } from '../../base/forms/fields.tsx'
import { upTo } from '../../base/forms/Slider.tsx'
import { Translated } from '../../base/ui/Translated.tsx'
import { editOrShowProblems } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { drawnFrom } from '../shapes/drawnRate.ts'
import { RateDrawing } from '../shapes/RateDrawing.tsx'
import { RateShape } from '../shapes/RateShape.tsx'
import { StepShapes } from '../shapes/StepShapes.tsx'
import { settingOf } from './bounds.ts'
import { Params } from './Params.tsx'
import { groupOrders, sourceKinds, sourceOfKind, sourceParams } from './sourceKinds.ts'

const kinds = Object.entries(sourceKinds()).map(([kind, { name }]) => [kind as Source['kind'], name] as const)

/** The form of the source. */
export function SourceForm({ source }: { readonly source: Source }) {
  const session = useSession()
  const { about } = sourceKinds()[source.kind]
  const drawn = drawnFrom(source)
  const bound: Bound<Source> = { path: 'source', value: source, change: setSource }
  return (
    <>
      <SelectField label={t('Arrivals')} {...shownAs(bound, kindOf, (kind) => sourceOfKind(kind, source))} options={kinds} />
      <p className="form-about">{about}</p>
      {source.kind === 'steps' && <StepShapes source={source} />}
      {source.kind === 'curve' || source.kind === 'steps' ? (
        <RateDrawing
          source={source}
          put={(scenario, redraw) => (scenario.source.kind === source.kind ? setSource(scenario, redraw(scenario.source as typeof source)) : scenario)}
        />
      ) : (
        <RateShape source={source} />
      )}
      {drawn !== null && (
        <Button className="link form-to" onClick={() => editOrShowProblems(session, (scenario) => setSource(scenario, drawn))} text={t('Draw it by hand')} />
      )}
      <Params params={sourceParams(source)} of={bound} />
      {source.kind === 'groups' && <p className="form-about">{groupOrders()[source.order].about}</p>}
      <p className="form-sum">
        <Translated
          text="{most, plural, =1 {At most } other {}}<b>{n, number}</b> {n, plural, one {job} other {jobs}}"
          values={{ most: source.kind === 'sine' ? 1 : 0, n: countJobs(source) }}
          tags={{ b: (inside) => <b>{inside}</b> }}
        />
        {source.kind === 'groups' &&
          t(' in {n, plural, one {# group} other {# groups}}, up to {most} in one', {
            n: source.groups.length,
            most: count(source.groups.reduce((most, size) => Math.max(most, size), 0)),
          })}
        {source.kind === 'lines' && source.digest === '' && t(', until a file is there')}
      </p>
    </>
  )
}

const orders = (): readonly (readonly [Order['kind'], string])[] => [
  ['none', t('As they are done')],
  ['buffer', t('In order, by a buffer')],
  ['shard', t('In order, by shards')],
]

const abouts = (): Readonly<Record<Order['kind'], string>> => ({
  none: t('Each job leaves as soon as it has been served everywhere.'),
  buffer: t('Jobs are served in any order; those that are done early wait at the sink for earlier ones.'),
  shard: t('Of the n workers of a stage worker k serves tickets k, k + n, k + 2n, and so on: nothing has to be put in order at the sink.'),
})

/** The form of the sink. */
export function SinkForm({ scenario }: { readonly scenario: Scenario }) {
  const bound = settingOf(scenario, 'order')
  const { value: order } = bound
  return (
    <>
      <SelectField
        label={t('Jobs leave')}
        {...shownAs(bound, kindOf, (kind) => (kind === 'buffer' ? { kind, slots: partDefaults.slots } : { kind }))}
        options={orders()}
      />
      <p className="form-about">{abouts()[order.kind]}</p>
      {order.kind === 'buffer' && (
        <NumberField
          label={t('Slots')}
          hint={t('How far a job may run ahead of the one that is to leave next')}
          {...inside({ ...bound, value: order }, 'slots')}
          by={16}
          slider={upTo(10_000)}
        />
      )}
    </>
  )
}
