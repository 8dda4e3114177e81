import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { setSource } from '../../../scenario/edit/edits.ts'
import { partDefaults } from '../../../scenario/model/defaults.ts'
import { MAX_RETRIES } from '../../../scenario/model/limits.ts'
import type { Order, Scenario, Source } from '../../../scenario/model/scenario.ts'
import {
  type Classes,
  countJobs,
  groupOrders,
  type Retry,
  shownParams,
  sourceKinds,
  sourceOfKind,
  sources,
} from '../../../scenario/model/sources.ts'
import { count, percent } from '../../../views/drawing/format.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { Button } from '../../base/controls/Button.tsx'
import type { SelectOption } from '../../base/controls/Select.tsx'
import { type Bound, inside, kindOf, settingOf, shownAs } from '../../base/forms/bound.ts'
import { CheckField, DurationField, ListField, NumberField, SelectField } from '../../base/forms/fields.tsx'
import { RemoveButton } from '../../base/forms/IconButton.tsx'
import { upTo } from '../../base/forms/Slider.tsx'
import { readNumbers, writeNumbers } from '../../base/forms/typedText.ts'
import { currentPalette, themeStore } from '../../base/page/theme.ts'
import { Translated } from '../../base/ui/Translated.tsx'
import { editOrShowProblems, scenarioStore, select } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { type Drawable, drawnFrom, type RatePoint, type StepShape, stepShapeOf, stepsOf } from '../shapes/drawnRate.ts'
import { RateDrawing, RateShape } from '../shapes/RateDrawing.tsx'
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

function SourceForm({ source }: { readonly source: Source }) {
  const session = useSession()
  const drawn = drawnFrom(source)
  const bound: Bound<Source> = { path: 'source', value: source, change: setSource }
  const { retry, classes } = source
  const total = classes?.reduce((sum, weight) => sum + weight, 0) ?? 1
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
      {sources[source.kind].about && <p className="form-about">{sources[source.kind].about?.()}</p>}
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
      <h3>{t('Classes')}</h3>
      <CheckField
        label={t('Some jobs are more urgent')}
        {...shownAs({ ...inside(bound, 'classes'), value: classes }, Boolean, (on) =>
          on ? startingClasses : undefined,
        )}
      />
      {classes !== undefined && (
        <ListField
          label={t('Weights')}
          hint={t('The most urgent first: {shares} of the jobs', {
            shares: classes.map((weight) => percent(weight / total, 0)).join(', '),
          })}
          rows={1}
          {...inside(bound, 'classes')}
          value={classes}
          read={readNumbers}
          write={writeNumbers}
        />
      )}
      <h3>{t('Patience')}</h3>
      <CheckField
        label={t('Clients give up a job that waits too long')}
        {...shownAs({ ...inside(bound, 'retry'), value: retry }, Boolean, (on) => (on ? startingRetry : undefined))}
      />
      {retry !== undefined && <RetryFields of={{ ...inside(bound, 'retry'), value: retry }} />}
    </>
  )
}

const startingClasses: Classes = [1, 3]

const startingRetry: Retry = { after: { kind: 'exponential', mean: 1_000_000 }, limit: 3, backoff: 100_000 }

function RetryFields({ of }: { readonly of: Bound<Retry> }) {
  return (
    <>
      <ServiceFields of={inside(of, 'after')} index={0} />
      <NumberField
        label={t('Retries')}
        {...inside(of, 'limit')}
        slider={{ min: 0, max: MAX_RETRIES, linear: true, whole: true }}
      />
      {of.value.limit > 0 && (
        <DurationField label={t('Retry after')} hint={t('Doubled at each further try')} {...inside(of, 'backoff')} />
      )}
    </>
  )
}

function SinkForm({ scenario }: { readonly scenario: Scenario }) {
  const bound = settingOf(scenario, 'order')
  const { value: order } = bound
  const kinds: readonly SelectOption<Order['kind']>[] = [
    ['none', t('As they are done')],
    ['buffer', t('In order, by a buffer')],
    ['shard', t('In order, by shards')],
  ]
  const orderHelp = {
    none: t('Jobs leave as soon as they are done.'),
    buffer: t('Early jobs wait at the sink for earlier ones.'),
    shard: t('Worker k of n serves tickets k, k + n, k + 2n, …'),
  }
  return (
    <>
      <SelectField
        label={t('Jobs leave')}
        {...shownAs(bound, kindOf, (kind) => (kind === 'buffer' ? { kind, slots: partDefaults.slots } : { kind }))}
        options={kinds}
      />
      <p className="form-about">{orderHelp[order.kind]}</p>
      {order.kind === 'buffer' && (
        <NumberField
          label={t('Slots')}
          hint={t('How many jobs the order buffer holds')}
          {...inside({ ...bound, value: order }, 'slots')}
          by={16}
          slider={upTo(10_000)}
        />
      )}
    </>
  )
}

const MAX_ROUNDS = 10_000

function StepShapes({ source }: { readonly source: Extract<Drawable, { kind: 'steps' }> }) {
  const shape = stepShapeOf(source.at)
  const kinds: readonly SelectOption<StepShape['kind']>[] = [
    ['square', t('Square: on and off')],
    ['step', t('One step')],
    ['hand', t('By hand')],
  ]
  return (
    <>
      <SelectField label={t('Shape')} path="source.at" value={shape.kind} options={kinds} change={toKind} />
      {shape.kind === 'square' && (
        <>
          <NumberField label={t('Low')} unit={t('/s')} by={10} {...shapeBound(shape, 'low')} />
          <NumberField label={t('High')} unit={t('/s')} by={10} {...shapeBound(shape, 'high')} />
          <DurationField label={t('Low lasts')} {...shapeBound(shape, 'lowFor')} />
          <DurationField label={t('High lasts')} {...shapeBound(shape, 'highFor')} />
          <NumberField
            label={t('Rounds')}
            {...shownAs(shapeBound(shape, 'rounds'), (rounds) => rounds, roundsWithin)}
          />
        </>
      )}
      {shape.kind === 'step' && (
        <>
          <NumberField label={t('Before')} unit={t('/s')} by={10} {...shapeBound(shape, 'before')} />
          <NumberField label={t('After')} unit={t('/s')} by={10} {...shapeBound(shape, 'after')} />
          <DurationField label={t('After so long')} {...shapeBound(shape, 'from')} />
        </>
      )}
    </>
  )
}

/** Returns one number of a shape of steps as a field. Its problems are those of the steps. */
function shapeBound<S extends Exclude<StepShape, { kind: 'hand' }>, K extends keyof S & string>(
  shape: S,
  key: K,
): Bound<S[K]> {
  const path = 'source.at'
  return {
    ...inside({ path, value: shape, change: (scenario, next) => setSource(scenario, stepsOf(next)) }, key),
    path,
  }
}

function roundsWithin(rounds: number): number {
  return Math.min(MAX_ROUNDS, Math.max(2, Math.round(rounds) || 2))
}

/** Returns the scenario with another shape of about the same rates and times. */
function toKind(scenario: Scenario, kind: StepShape['kind']): Scenario {
  const { source } = scenario
  if (source.kind !== 'steps' || stepShapeOf(source.at).kind === kind) return scenario
  const rates = source.at.map(([, rate]) => rate)
  const [low, most] = [Math.min(...rates), Math.max(...rates)]
  const high = most > low ? most : Math.max(1, 2 * most)
  const last = source.at[source.at.length - 1][0]
  const each = Math.max(1000, Math.round(last / Math.max(1, source.at.length - 1) / 1000) * 1000 || 1_000_000)
  if (kind === 'square')
    return setSource(scenario, stepsOf({ kind, low, high, lowFor: each, highFor: each, rounds: 4 }))
  if (kind === 'step') return setSource(scenario, stepsOf({ kind, before: low, after: high, from: 2 * each }))
  // A step has two corners. A third one makes it steps by hand.
  const at: readonly RatePoint[] =
    source.at.length === 2 ? [...source.at, [2 * source.at[1][0] + 1000, source.at[0][1] || 1]] : source.at.slice(0, -1)
  return setSource(scenario, { ...source, at })
}
