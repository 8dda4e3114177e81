import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { setSource } from '../../../scenario/edit/edits.ts'
import { partDefaults } from '../../../scenario/model/defaults.ts'
import { MAX_RETRIES } from '../../../scenario/model/limits.ts'
import type { Scenario, Source } from '../../../scenario/model/scenario.ts'
import { countJobs, shownParams, sourceKinds, sourceOfKind, sources } from '../../../scenario/model/sources.ts'
import { percent } from '../../../views/drawing/format.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { Button } from '../../base/controls/Button.tsx'
import { type Bound, inside, kindOf, settingOf, shownAs } from '../../base/forms/bound.ts'
import { DurationField, ListField, NumberField, SelectField } from '../../base/forms/fields.tsx'
import { RemoveButton } from '../../base/forms/IconButton.tsx'
import { upTo } from '../../base/forms/Slider.tsx'
import { readNumbers, writeNumbers } from '../../base/forms/typedText.ts'
import { currentPalette, themeStore } from '../../base/page/theme.ts'
import { Translated } from '../../base/ui/Translated.tsx'
import { editOrShowProblems, scenarioStore, select } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { type Drawable, drawnFrom, type RatePoint, type StepShape, stepShapeOf, stepsOf } from '../shapes/drawnRate.ts'
import { RateDrawing, RateShape } from '../shapes/RateDrawing.tsx'
import { Optional } from './Optional.tsx'
import { ParamFields } from './ParamFields.tsx'
import { ServiceFields } from './ServiceFields.tsx'
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
    <section
      className="form"
      aria-label={stage === undefined ? title : t('Stage {name}', { name: title })}
      key={selected}
    >
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

function SourceForm({ source }: { readonly source: Source }) {
  const session = useSession()
  const drawn = drawnFrom(source)
  const bound: Bound<Source> = { path: 'source', value: source, change: setSource }
  const { retry, classes } = source
  return (
    <>
      <SelectField
        label={t('Arrivals')}
        {...shownAs(bound, kindOf, (kind) => ({
          ...sourceOfKind(kind, source),
          ...(retry && { retry }),
          ...(classes && { classes }),
        }))}
        options={sourceKinds.map((kind) => [kind, sources[kind].name()] as const)}
      />
      {source.kind === 'steps' && <StepShapes source={source} />}
      {source.kind === 'curve' || source.kind === 'steps' ? (
        <RateDrawing
          source={source}
          put={(scenario, redraw) =>
            scenario.source.kind === source.kind
              ? setSource(scenario, redraw(scenario.source as typeof source))
              : scenario
          }
        />
      ) : (
        <RateShape source={source} />
      )}
      {drawn !== null && (
        <Button
          className="link form-to"
          onClick={() => editOrShowProblems(session, (scenario) => setSource(scenario, drawn))}
          text={t('Draw it by hand')}
        />
      )}
      <ParamFields params={shownParams(source)} of={bound} />
      <p className="form-sum">
        <Translated
          text="{most, plural, =1 {At most } other {}}<b>{n, number}</b> {n, plural, one {job} other {jobs}}"
          values={{ most: source.kind === 'sine' ? 1 : 0, n: countJobs(source) }}
          tags={{ b: (inside) => <b>{inside}</b> }}
        />
      </p>
      <Optional label={t('Some jobs are more urgent')} of={inside(bound, 'classes')} start={[1, 3]} none={undefined}>
        {(weights) => {
          const total = weights.value.reduce((sum, weight) => sum + weight, 0)
          const shares = weights.value.map((weight) => percent(weight / total, 0)).join(', ')
          return (
            <ListField
              label={t('Weights')}
              hint={t('The most urgent first: {shares} of the jobs', { shares })}
              rows={1}
              {...weights}
              read={readNumbers}
              write={writeNumbers}
            />
          )
        }}
      </Optional>
      <Optional
        label={t('Clients give up a job that waits too long')}
        of={inside(bound, 'retry')}
        start={{ after: { kind: 'exponential', mean: 1_000_000 }, limit: 3, backoff: 100_000 }}
        none={undefined}
      >
        {(clients) => (
          <>
            <ServiceFields of={inside(clients, 'after')} index={0} />
            <NumberField
              label={t('Retries')}
              {...inside(clients, 'limit')}
              slider={{ min: 0, max: MAX_RETRIES, linear: true, whole: true }}
            />
            {clients.value.limit > 0 && <DurationField label={t('Retry after')} {...inside(clients, 'backoff')} />}
          </>
        )}
      </Optional>
    </>
  )
}

function SinkForm({ scenario }: { readonly scenario: Scenario }) {
  const bound = settingOf(scenario, 'order')
  const { value: order } = bound
  return (
    <>
      <SelectField
        label={t('Jobs leave')}
        {...shownAs(bound, kindOf, (kind) => (kind === 'buffer' ? { kind, slots: partDefaults.slots } : { kind }))}
        options={[
          ['none', t('As they are done')],
          ['buffer', t('In order, by a buffer')],
          ['shard', t('In order, by shards')],
        ]}
      />
      {order.kind === 'buffer' && (
        <NumberField
          label={t('Slots')}
          {...inside({ ...bound, value: order }, 'slots')}
          by={16}
          slider={upTo(10_000)}
        />
      )}
    </>
  )
}

const MAX_ROUNDS = 10_000

type ShapeField = readonly [key: string, label: string, is: 'rate' | 'time' | 'count']

function StepShapes({ source }: { readonly source: Extract<Drawable, { kind: 'steps' }> }) {
  const shape = stepShapeOf(source.at)
  const path = 'source.at'
  const fields: Readonly<Record<StepShape['kind'], readonly ShapeField[]>> = {
    hand: [],
    step: [
      ['before', t('Before'), 'rate'],
      ['after', t('After'), 'rate'],
      ['from', t('After so long'), 'time'],
    ],
    square: [
      ['low', t('Quiet'), 'rate'],
      ['high', t('Burst'), 'rate'],
      ['lowFor', t('Quiet lasts'), 'time'],
      ['highFor', t('Burst lasts'), 'time'],
      ['rounds', t('Rounds'), 'count'],
    ],
  }
  return (
    <>
      <SelectField
        label={t('Shape')}
        path={path}
        value={shape.kind}
        options={[
          ['square', t('Square: on and off')],
          ['step', t('One step')],
          ['hand', t('By hand')],
        ]}
        change={withShape}
      />
      {shape.kind !== 'hand' &&
        fields[shape.kind].map(([key, label, is]) => {
          // The problems of a number are those of the steps.
          const bound: Bound<number> = {
            path,
            value: new Map<string, unknown>(Object.entries(shape)).get(key) as number,
            change: (scenario, next) =>
              setSource(scenario, stepsOf({ ...shape, [key]: is === 'count' ? roundsWithin(next) : next })),
          }
          if (is === 'time') return <DurationField key={key} label={label} {...bound} />
          return <NumberField key={key} label={label} {...bound} {...(is === 'rate' && { unit: t('/s'), by: 10 })} />
        })}
    </>
  )
}

function roundsWithin(rounds: number): number {
  return Math.min(MAX_ROUNDS, Math.max(2, Math.round(rounds) || 2))
}

/** Returns the scenario with another shape of about the same rates and times. */
function withShape(scenario: Scenario, kind: StepShape['kind']): Scenario {
  const { source } = scenario
  if (source.kind !== 'steps' || stepShapeOf(source.at).kind === kind) return scenario
  const { at } = source
  const rates = at.map(([, rate]) => rate)
  const [low, highest] = [Math.min(...rates), Math.max(...rates)]
  const high = highest > low ? highest : Math.max(1, 2 * highest)
  const meanLength = at[at.length - 1][0] / Math.max(1, at.length - 1)
  const length = Math.max(1000, Math.round(meanLength / 1000) * 1000 || 1_000_000)
  if (kind === 'square')
    return setSource(scenario, stepsOf({ kind, low, high, lowFor: length, highFor: length, rounds: 4 }))
  if (kind === 'step') return setSource(scenario, stepsOf({ kind, before: low, after: high, from: 2 * length }))
  // A step has two corners. A third one makes it steps by hand.
  const corners: readonly RatePoint[] =
    at.length === 2 ? [...at, [2 * at[1][0] + 1000, at[0][1] || 1]] : at.slice(0, -1)
  return setSource(scenario, { ...source, at: corners })
}
