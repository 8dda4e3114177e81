import { useState } from 'react'
import { readable } from '../../../app/base/browser/readable.ts'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Select, type SelectOption } from '../../../app/base/controls/Select.tsx'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { count } from '../../../views/drawing/format.ts'
import { guessMapping, type Role, type SeriesHeads, seriesGroups, stageLabelsOf } from '../read/seriesRoles.ts'
import { mapComing } from './logFile.ts'

const roles = (): readonly SelectOption<Role>[] => [
  ['queue', t('Jobs that wait')],
  ['service_s', t('Service time, in seconds')],
  ['service_ms', t('Service time, in ms')],
  ['service_us', t('Service time, in µs')],
  ['workers', t('Workers')],
  ['nothing', t('Nothing')],
]

/** Asks which label names the stage and what each group of series means, if their names do not say. */
export function LogMapping({ heads }: { readonly heads: SeriesHeads }) {
  const session = useSession()
  const [mapping, setMapping] = useState(() => guessMapping(heads).mapping)
  return (
    <>
      <label className="field">
        <span>{t('The stage is the label')}</span>
        <Select
          value={mapping.stageLabel}
          options={stageLabelsOf(heads).map((label) => [label, readable(label)])}
          choose={(label) => setMapping(guessMapping(heads, label).mapping)}
        />
      </label>
      <ul className="log-series">
        {seriesGroups(heads, mapping.stageLabel).map(({ name, series }, g) => (
          <li key={name}>
            <label className="field">
              <span>
                <code>{readable(name)}</code> <span className="soft">{t('{length} series', { length: count(series.length) })}</span>
              </span>
              <Select
                value={mapping.roles[g]}
                options={roles()}
                choose={(role) => setMapping({ ...mapping, roles: mapping.roles.map((each, k) => (k === g ? role : each)) })}
              />
            </label>
          </li>
        ))}
      </ul>
      <div>
        <Button className="button run" onClick={() => void mapComing(session, mapping)} text={t('Read them so')} />
      </div>
    </>
  )
}
