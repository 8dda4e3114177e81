import { t } from '../../../language/translate.ts'
import { setFanOut, setStage } from '../../../scenario/edit/edits.ts'
import { partDefaults } from '../../../scenario/model/defaults.ts'
import { isLinear, linearOrder } from '../../../scenario/model/linearStages.ts'
import type {
  Discipline,
  FanOut,
  Join,
  OwnCode,
  Scenario,
  Stage,
  WhenTaken,
  Work,
} from '../../../scenario/model/scenario.ts'
import { percent } from '../../../views/drawing/format.ts'
import { Button } from '../../base/controls/Button.tsx'
import type { SelectOption } from '../../base/controls/Select.tsx'
import { type Bound, inside, shownAs, stageBound } from '../../base/forms/bound.ts'
import { CheckField, DurationField, ListField, NumberField, SelectField, TextField } from '../../base/forms/fields.tsx'
import { IconButton, RemoveButton } from '../../base/forms/IconButton.tsx'
import { upTo } from '../../base/forms/Slider.tsx'
import { readIntegers, writeIntegers } from '../../base/forms/typedText.ts'
import { FeaturePanels } from '../../session/features/features.tsx'
import { useSession } from '../../session/useSession.ts'
import { addStageBesideOther, removeStages, shiftStage, startRename, unlinkStages } from '../editing/actions.ts'
import { duplicate } from '../editing/clipboard.ts'
import { ServiceChanges, ServiceFields } from './ServiceFields.tsx'

const works = (): readonly SelectOption<Exclude<Work, OwnCode> | 'code'>[] => [
  ['burn', t('Keep a core busy')],
  ['wait', t('Wait')],
  ['parseJson', t('Parse a JSON line')],
  ['validate', t('Validate a record')],
  ['sha256', t('Hash it (SHA-256)')],
  ['gzip', t('Compress it (gzip)')],
  ['mandelbrot', t('Compute a tile (Mandelbrot)')],
  ['colour', t('Colour it')],
  ['antialias', t('Smooth its edges')],
  ['qoi', t('Compress it (QOI)')],
  ['code', t('Run code of your own')],
]
/** What a stage does when it gets code of its own. */
const startingCode = 'export default (input, context) => input\n'

const disciplines = (): readonly SelectOption<Discipline>[] => [
  ['fifo', t('First come, first served')],
  ['lifo', t('Last come, first served')],
  ['shortest', t('Shortest first (sees sizes)')],
  ['priority', t('Most urgent class first')],
]
const exclusions = (): readonly SelectOption<'none' | WhenTaken>[] => [
  ['none', t('Side by side')],
  ['wait', t('Wait for each other')],
  ['skip', t('Skip the taken')],
]

export function StageButtons({ scenario, id }: { readonly scenario: Scenario; readonly id: string }) {
  const session = useSession()
  const at = linearOrder(scenario).indexOf(id)
  const line = isLinear(scenario)
  return (
    <>
      <IconButton
        label={t('Earlier in the line')}
        path="M10 4 6 8l4 4"
        disabled={!line || at === 0}
        onClick={() => shiftStage(session, id, -1)}
      />
      <IconButton
        label={t('Later in the line')}
        path="M6 4l4 4-4 4"
        disabled={!line || at === scenario.stages.length - 1}
        onClick={() => shiftStage(session, id, 1)}
      />
      <IconButton
        label={t('Duplicate the stage')}
        path="M3 3h7v7H3zM6 10v3h7V6h-3"
        onClick={() => duplicate(session)}
      />
      <IconButton
        label={t('Delete the stage')}
        path="M3.5 5h9M6.5 5V3.5h3V5M5 5l.5 8h5l.5-8"
        onClick={() => removeStages(session, [id])}
      />
    </>
  )
}

export function StageForm({
  draft,
  stage,
  index,
}: {
  readonly draft: Scenario
  readonly stage: Stage
  readonly index: number
}) {
  const at = <K extends Exclude<keyof Stage, 'id'>>(key: K) => stageBound(stage, index, key)
  const { fails, capacity, discipline, ageing, resource, whenTaken, startUp } = stage
  const session = useSession()
  return (
    <>
      <TextField
        label={t('Name')}
        {...at('name')}
        change={(scenario, name) => setStage(scenario, stage.id, { name: name.trim() === '' ? stage.id : name })}
      />
      <Button
        className="link form-to"
        onClick={() => addStageBesideOther(session, stage.id, startRename)}
        text={t('Add a stage beside it')}
      />
      <h3>{t('Service time')}</h3>
      <ServiceFields of={at('service')} index={index} />
      <ServiceChanges stage={stage} index={index} />
      <SelectField
        label={t('In a real run')}
        {...shownAs(
          at('work'),
          (work) => (typeof work === 'object' ? 'code' : work),
          (work) => (work === 'code' ? { code: startingCode } : work),
        )}
        options={works()}
      />
      <FeaturePanels place="stageForm" of={{ stage, index }} on={draft} />
      <h3>{t('Start-up')}</h3>
      <CheckField
        label={t('Workers start up before their first job here')}
        {...shownAs(at('startUp'), isSet, (on) => (on ? { kind: 'constant' as const, mean: 1_000_000 } : null))}
      />
      {startUp !== null && <ServiceFields of={{ ...at('startUp'), value: startUp }} index={index} />}
      <LinkFields draft={draft} stage={stage} index={index} />
      <h3>{t('Queue')}</h3>
      <SelectField label={t('Order')} {...at('discipline')} options={disciplines()} />
      {discipline === 'priority' && (
        <>
          {draft.source.classes === undefined && <p className="form-about">{t('The source has no classes.')}</p>}
          <CheckField label={t('Jobs age')} {...shownAs(at('ageing'), isSet, (on) => (on ? 1_000_000 : null))} />
          {ageing !== null && (
            <DurationField
              label={t('Ageing')}
              hint={t('How much earlier to pass a more urgent job')}
              {...at('ageing')}
              value={ageing}
            />
          )}
        </>
      )}
      {draft.source.kind === 'groups' && (
        <SelectField
          label={t('Same group')}
          path={at('resource').path}
          value={resource === null ? 'none' : whenTaken}
          options={exclusions()}
          change={(scenario, taken) =>
            setStage(
              scenario,
              stage.id,
              taken === 'none' ? { resource: null } : { resource: 'group', whenTaken: taken },
            )
          }
        />
      )}
      <CheckField label={t('Bounded queue')} {...shownAs(at('capacity'), isSet, (on) => (on ? 20 : null))} />
      {capacity !== null && (
        <NumberField label={t('At most')} unit={t('jobs')} {...at('capacity')} value={capacity} slider={upTo(1000)} />
      )}
      <h3>{t('Failures')}</h3>
      <CheckField
        label={t('Some jobs fail here')}
        {...shownAs(at('fails'), isSet, (on) => (on ? { jobs: [0], tries: partDefaults.tries } : null))}
      />
      {fails !== null && (
        <>
          <ListField
            label={t('Job numbers')}
            hint={t('From 0, such as 7, 42-45')}
            rows={2}
            {...inside({ ...at('fails'), value: fails }, 'jobs')}
            read={readIntegers}
            write={writeIntegers}
          />
          <NumberField label={t('Tries')} {...inside({ ...at('fails'), value: fails }, 'tries')} />
        </>
      )}
    </>
  )
}

const isSet = (value: unknown): boolean => value !== null

const fanOuts = (): readonly SelectOption<'copy' | 'route'>[] => [
  ['copy', t('A copy to each')],
  ['route', t('One way each, by weight')],
]
const joins = (): readonly SelectOption<Join>[] => [
  ['merge', t('Take each job as it comes')],
  ['all', t('Wait for all parts of a job')],
]

/** How incoming links join and where outgoing jobs go, if there are several links; and a button to remove each link. */
function LinkFields({
  draft,
  stage,
  index,
}: {
  readonly draft: Scenario
  readonly stage: Stage
  readonly index: number
}) {
  const session = useSession()
  const { id, fanOut } = stage
  const bound: Bound<FanOut> = {
    ...stageBound(stage, index, 'fanOut'),
    change: (scenario, next) => setFanOut(scenario, id, next),
  }
  const into = draft.links.filter(([, to]) => to === id)
  const ways = draft.links.filter(([from]) => from === id)
  if (into.length < 2 && ways.length < 2) return null
  const called = (to: string) => draft.stages.find((each) => each.id === to)?.name ?? t('the {to}', { to })
  const total = fanOut === 'copy' ? 0 : Object.values(fanOut.route).reduce((sum, weight) => sum + weight, 0)
  return (
    <>
      <h3>{t('Links')}</h3>
      {into.length > 1 && (
        <SelectField
          label={t('From {length} stages', { length: into.length })}
          {...stageBound(stage, index, 'join')}
          options={joins()}
        />
      )}
      {ways.length > 1 && (
        <>
          <SelectField
            label={t('To {length} stages', { length: ways.length })}
            {...shownAs(
              bound,
              (now) => (now === 'copy' ? 'copy' : 'route'),
              (kind) => (kind === 'copy' ? 'copy' : { route: Object.fromEntries(ways.map(([, to]) => [to, 1])) }),
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
                after={
                  <RemoveButton
                    label={t('Remove the link to {stage}', { stage: called(to) })}
                    onClick={() => unlinkStages(session, [id, to])}
                  />
                }
              />
            ))}
        </>
      )}
    </>
  )
}
