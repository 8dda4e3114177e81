import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { setSource } from '../../../scenario/edit/edits.ts'
import { partDefaults } from '../../../scenario/model/defaults.ts'
import type { Order, Scenario, Source } from '../../../scenario/model/scenario.ts'
import { countJobs, groupOrders, shownParams, sourceKinds, sourceOfKind, sources } from '../../../scenario/model/sources.ts'
import { count } from '../../../views/drawing/format.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { Button } from '../../base/controls/Button.tsx'
import { type Bound, inside, kindOf, settingOf, shownAs } from '../../base/forms/bound.ts'
import { NumberField, SelectField } from '../../base/forms/fields.tsx'
import { RemoveButton } from '../../base/forms/IconButton.tsx'
import { upTo } from '../../base/forms/Slider.tsx'
import { currentPalette, themeStore } from '../../base/page/theme.ts'
import { Translated } from '../../base/ui/Translated.tsx'
import { editOrShowProblems, scenarioStore, select } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { drawnFrom } from '../shapes/drawnRate.ts'
import { RateDrawing, RateShape } from '../shapes/RateDrawing.tsx'
import { StepShapes } from '../shapes/StepShapes.tsx'
import { ParamFields } from './ParamFields.tsx'
import { StageButtons, StageForm } from './StageForm.tsx'

/** The form of what is selected on the canvas; nothing if nothing is selected. */
export function Inspector() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.draft)
  const selected = useStore(scenarioStore(session), (state) => state.selected)
  const palette = useStore(themeStore, (state) => state.palette) ?? currentPalette()
  if (selected === null) return null
  const index = scenario.stages.findIndex(({ id }) => id === selected)
  const stage = scenario.stages[index]
  const title = stage?.name ?? (selected === 'source' ? t('Source') : t('Sink'))
  return (
    // Each selection has its own form, so that half-typed text does not move to another.
    <section className="form" aria-label={stage === undefined ? title : t('Stage {title}', { title })} key={selected}>
      <header className="form-head">
        {stage !== undefined && <i className="form-mark" style={{ background: stageColour(palette, index).fill }} />}
        <h2>{title}</h2>
        {stage !== undefined && <StageButtons scenario={scenario} id={selected} />}
        <RemoveButton label={t('Close')} onClick={() => select(session, null)} />
      </header>
      {stage !== undefined && <StageForm draft={scenario} stage={stage} index={index} />}
      {selected === 'source' && <SourceForm source={scenario.source} />}
      {selected === 'sink' && <SinkForm scenario={scenario} />}
    </section>
  )
}

/** The form of the source. */
function SourceForm({ source }: { readonly source: Source }) {
  const session = useSession()
  const drawn = drawnFrom(source)
  const bound: Bound<Source> = { path: 'source', value: source, change: setSource }
  return (
    <>
      <SelectField
        label={t('Arrivals')}
        {...shownAs(bound, kindOf, (kind) => sourceOfKind(kind, source))}
        options={sourceKinds.map((kind) => [kind, sources[kind].name()] as const)}
      />
      <p className="form-about">{sources[source.kind].about()}</p>
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
      <ParamFields params={shownParams(source)} of={bound} />
      {source.kind === 'groups' && <p className="form-about">{groupOrders[source.order].about()}</p>}
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
function SinkForm({ scenario }: { readonly scenario: Scenario }) {
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
