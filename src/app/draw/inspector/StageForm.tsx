import type { ComponentProps } from 'react'
import { t } from '../../../language/translate.ts'
import { setFanOut, setStage } from '../../../scenario/edit/edits.ts'
import { partDefaults } from '../../../scenario/model/defaults.ts'
import { isLinear, linearOrder } from '../../../scenario/model/linearStages.ts'
import type { FanOut, Scenario, Stage } from '../../../scenario/model/scenario.ts'
import { percent } from '../../../views/drawing/format.ts'
import { Button } from '../../base/controls/Button.tsx'
import { type Bound, inside, shownAs, stageBound } from '../../base/forms/bound.ts'
import { DurationField, ListField, NumberField, SelectField, TextField } from '../../base/forms/fields.tsx'
import { IconButton, RemoveButton } from '../../base/forms/IconButton.tsx'
import { upTo } from '../../base/forms/Slider.tsx'
import { readIntegers, writeIntegers } from '../../base/forms/typedText.ts'
import { FeaturePanels } from '../../session/features/features.tsx'
import { useSession } from '../../session/useSession.ts'
import { addStageBesideOther, nameIn, removeStages, shiftStage, startRename, unlinkStages } from '../editing/actions.ts'
import { duplicate } from '../editing/clipboard.ts'
import { Optional } from './Optional.tsx'
import { ServiceChanges, ServiceFields } from './ServiceFields.tsx'

/** What a stage does when it gets code of its own. */
const startingCode = 'export default (input, context) => input\n'

export function StageButtons({ scenario, id }: { readonly scenario: Scenario; readonly id: string }) {
  const session = useSession()
  const at = linearOrder(scenario).indexOf(id)
  const last = scenario.stages.length - 1
  const moves = isLinear(scenario)
  const buttons: readonly ComponentProps<typeof IconButton>[] = [
    {
      label: t('Earlier in the line'),
      path: 'M10 4 6 8l4 4',
      disabled: !moves || at === 0,
      onClick: () => shiftStage(session, id, -1),
    },
    {
      label: t('Later in the line'),
      path: 'M6 4l4 4-4 4',
      disabled: !moves || at === last,
      onClick: () => shiftStage(session, id, 1),
    },
    { label: t('Duplicate'), path: 'M3 3h7v7H3zM6 10v3h7V6h-3', onClick: () => duplicate(session) },
    {
      label: t('Delete'),
      path: 'M3.5 5h9M6.5 5V3.5h3V5M5 5l.5 8h5l.5-8',
      onClick: () => removeStages(session, [id]),
    },
  ]
  return buttons.map((button) => <IconButton key={button.label} {...button} />)
}

interface Props {
  readonly draft: Scenario
  readonly stage: Stage
  readonly index: number
}

export function StageForm({ draft, stage, index }: Props) {
  const session = useSession()
  const at = <K extends Exclude<keyof Stage, 'id'>>(key: K) => stageBound(stage, index, key)
  const { resource, whenTaken } = stage
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
        options={[
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
        ]}
      />
      <FeaturePanels place="stageForm" of={{ stage, index }} on={draft} />
      <Optional label={t('Start-up')} of={at('startUp')} start={{ kind: 'constant', mean: 1_000_000 }} none={null}>
        {(bound) => <ServiceFields of={bound} index={index} />}
      </Optional>
      <Optional label={t('Failures')} of={at('fails')} start={{ jobs: [0], tries: partDefaults.tries }} none={null}>
        {(bound) => (
          <>
            <ListField
              label={t('Job numbers')}
              rows={2}
              {...inside(bound, 'jobs')}
              read={readIntegers}
              write={writeIntegers}
            />
            <NumberField label={t('Tries')} {...inside(bound, 'tries')} />
          </>
        )}
      </Optional>
      <LinkFields draft={draft} stage={stage} index={index} />
      <h3>{t('Queue')}</h3>
      <SelectField
        label={t('Order')}
        {...at('discipline')}
        options={[
          ['fifo', t('First come, first served')],
          ['lifo', t('Last come, first served')],
          ['shortest', t('Shortest first (sees sizes)')],
          ['priority', t('Most urgent class first')],
        ]}
      />
      {stage.discipline === 'priority' && (
        <>
          {draft.source.classes === undefined && <p className="form-about">{t('The source has no classes.')}</p>}
          <Optional label={t('Ageing')} of={at('ageing')} start={1_000_000} none={null}>
            {(bound) => <DurationField label={t('How much earlier to pass a more urgent job')} {...bound} />}
          </Optional>
        </>
      )}
      {draft.source.kind === 'groups' && (
        <SelectField
          label={t('Same group')}
          path={at('resource').path}
          value={resource === null ? 'none' : whenTaken}
          options={[
            ['none', t('Side by side')],
            ['wait', t('Wait for each other')],
            ['skip', t('Skip the taken')],
          ]}
          change={(scenario, taken) =>
            setStage(
              scenario,
              stage.id,
              taken === 'none' ? { resource: null } : { resource: 'group', whenTaken: taken },
            )
          }
        />
      )}
      <Optional label={t('Bounded queue')} of={at('capacity')} start={20} none={null}>
        {(bound) => <NumberField label={t('At most')} unit={t('jobs')} {...bound} slider={upTo(1000)} />}
      </Optional>
    </>
  )
}

/** How incoming links join and where outgoing jobs go, if there are several links; and a button to remove each link. */
function LinkFields({ draft, stage, index }: Props) {
  const session = useSession()
  const { id, fanOut } = stage
  const bound: Bound<FanOut> = {
    ...stageBound(stage, index, 'fanOut'),
    change: (scenario, next) => setFanOut(scenario, id, next),
  }
  const into = draft.links.filter(([, to]) => to === id)
  const ways = draft.links.filter(([from]) => from === id)
  if (into.length < 2 && ways.length < 2) return null
  const total = fanOut === 'copy' ? 0 : Object.values(fanOut.route).reduce((sum, weight) => sum + weight, 0)
  return (
    <>
      <h3>{t('Links')}</h3>
      {into.length > 1 && (
        <SelectField
          label={t('From {length} stages', { length: into.length })}
          {...stageBound(stage, index, 'join')}
          options={[
            ['merge', t('Take each job as it comes')],
            ['all', t('Wait for all parts of a job')],
          ]}
        />
      )}
      {ways.length > 1 && (
        <SelectField
          label={t('To {length} stages', { length: ways.length })}
          {...shownAs(
            bound,
            (now) => (now === 'copy' ? 'copy' : 'route'),
            (kind) => (kind === 'copy' ? 'copy' : { route: Object.fromEntries(ways.map(([, to]) => [to, 1])) }),
          )}
          options={[
            ['copy', t('A copy to each')],
            ['route', t('One way each, by weight')],
          ]}
        />
      )}
      {ways.length > 1 &&
        fanOut !== 'copy' &&
        ways.map(([, to]) => (
          <NumberField
            key={to}
            label={nameIn(draft, to)}
            hint={t('{route} of the jobs', { route: percent(fanOut.route[to] / total, 1) })}
            {...inside(inside({ ...bound, value: fanOut }, 'route'), to)}
            after={
              <RemoveButton
                label={t('Remove the link to {stage}', { stage: nameIn(draft, to) })}
                onClick={() => unlinkStages(session, [id, to])}
              />
            }
          />
        ))}
    </>
  )
}
