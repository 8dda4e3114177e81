import { t } from '../../../language/translate.ts'
import { setStage } from '../../../scenario/edit/edits.ts'
import { partDefaults } from '../../../scenario/model/defaults.ts'
import { isLinear, linearOrder } from '../../../scenario/model/linearStages.ts'
import type { Discipline, Scenario, Stage, WhenTaken, Work } from '../../../scenario/model/scenario.ts'
import { inside, shownAs } from '../../base/forms/bound.ts'
import { CheckField, ListField, NumberField, SelectField, TextField } from '../../base/forms/fields.tsx'
import { IconButton } from '../../base/forms/IconButton.tsx'
import { readWholes, writeWholes } from '../../base/forms/listText.ts'
import { upTo } from '../../base/forms/Slider.tsx'
import { useSecrets } from '../../session/secrets/secrets.ts'
import { useSession } from '../../session/useSession.ts'
import { removeStages, shiftStage } from '../editing/actions.ts'
import { duplicate } from '../editing/clipboard.ts'
import { stagePart } from './bounds.ts'
import { LinkFields } from './LinkFields.tsx'
import { ServiceChanges } from './ServiceChanges.tsx'
import { ServiceFields } from './ServiceFields.tsx'

const works = (): readonly (readonly [Work, string])[] => [
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
]
const disciplines = (): readonly (readonly [Discipline, string])[] => [
  ['fifo', t('First come, first served')],
  ['lifo', t('Last come, first served')],
  ['shortest', t('Shortest first (sees sizes)')],
]
/** What happens when a resource is taken, as one choice. */
const exclusions = (): readonly (readonly ['none' | WhenTaken, string])[] => [
  ['none', t('Side by side')],
  ['wait', t('Wait for each other')],
  ['skip', t('Skip the taken')],
]
const exclusionHints = () => ({ wait: t('Workers stand in line for it'), skip: t('Workers take the next free job') }) as const

/** Buttons to move a stage earlier or later and to remove it. */
export function StageButtons({ scenario, id }: { readonly scenario: Scenario; readonly id: string }) {
  const session = useSession()
  const at = linearOrder(scenario).indexOf(id)
  const line = isLinear(scenario)
  return (
    <>
      <IconButton label={t('Earlier in the line')} path="M10 4 6 8l4 4" disabled={!line || at === 0} onClick={() => shiftStage(session, id, -1)} />
      <IconButton
        label={t('Later in the line')}
        path="M6 4l4 4-4 4"
        disabled={!line || at === scenario.stages.length - 1}
        onClick={() => shiftStage(session, id, 1)}
      />
      <IconButton label={t('Duplicate the stage')} path="M3 3h7v7H3zM6 10v3h7V6h-3" onClick={() => duplicate(session)} />
      <IconButton label={t('Delete the stage')} path="M3.5 5h9M6.5 5V3.5h3V5M5 5l.5 8h5l.5-8" onClick={() => removeStages(session, [id])} />
    </>
  )
}

interface Props {
  readonly draft: Scenario
  readonly stage: Stage
  readonly index: number
}

/** The form of a stage. */
export function StageForm({ draft, stage, index }: Props) {
  const at = <K extends Exclude<keyof Stage, 'id'>>(key: K) => stagePart(stage, index, key)
  const { fails, capacity, resource, whenTaken } = stage
  const hidden = useSecrets().services.has(stage.id)
  return (
    <>
      <TextField label={t('Name')} {...at('name')} change={(scenario, name) => setStage(scenario, stage.id, { name: name.trim() === '' ? stage.id : name })} />
      <h3>{t('Service time')}</h3>
      {hidden ? (
        <p className="form-about">{t('The service time is hidden. Guess it in the panel Decision, or reveal it there.')}</p>
      ) : (
        <>
          <ServiceFields of={at('service')} index={index} />
          <ServiceChanges stage={stage} index={index} />
        </>
      )}
      <SelectField label={t('In a real run')} {...at('work')} options={works()} />
      <LinkFields draft={draft} stage={stage} index={index} />
      <h3>{t('Queue')}</h3>
      <SelectField label={t('Order')} {...at('discipline')} options={disciplines()} />
      {draft.source.kind === 'groups' && (
        <SelectField
          label={t('Same group')}
          hint={resource === null ? undefined : exclusionHints()[whenTaken]}
          path={at('resource').path}
          value={resource === null ? 'none' : whenTaken}
          options={exclusions()}
          change={(scenario, taken) => setStage(scenario, stage.id, taken === 'none' ? { resource: null } : { resource: 'group', whenTaken: taken })}
        />
      )}
      <CheckField label={t('Bounded queue')} {...shownAs(at('capacity'), isSet, (on) => (on ? 20 : null))} />
      {capacity !== null && <NumberField label={t('At most')} unit={t('jobs')} {...at('capacity')} value={capacity} slider={upTo(1000)} />}
      <h3>{t('Failures')}</h3>
      <CheckField label={t('Some jobs fail here')} {...shownAs(at('fails'), isSet, (on) => (on ? { jobs: [0], tries: partDefaults.tries } : null))} />
      {fails !== null && (
        <>
          <ListField
            label={t('Job numbers')}
            hint={t('From 0 on, in order of arrival: 7, 42-45')}
            rows={2}
            {...inside({ ...at('fails'), value: fails }, 'jobs')}
            read={readWholes}
            write={writeWholes}
          />
          <NumberField label={t('Tries')} {...inside({ ...at('fails'), value: fails }, 'tries')} />
        </>
      )}
    </>
  )
}

const isSet = (value: unknown): boolean => value !== null
