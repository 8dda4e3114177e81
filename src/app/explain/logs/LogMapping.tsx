import { useState } from 'react'
import { t } from '../../../language/translate.ts'
import { guessMapping, type Role, type SeriesHeads, seriesGroups, stageLabelsOf } from '../../../trace/logs/logSeries.ts'
import { count } from '../../../views/drawing/format.ts'
import { readable } from '../../base/browser/readable.ts'
import { useSession } from '../../session/useSession.ts'
import { mapComing } from './logFile.ts'

const roles = (): Readonly<Record<Role, string>> => ({
  queue: t('Jobs that wait'),
  service_s: t('Service time, in seconds'),
  service_ms: t('Service time, in ms'),
  service_us: t('Service time, in µs'),
  workers: t('Workers'),
  nothing: t('Nothing'),
})

/** Asks which label names the stage and what each group of series means, if their names do not say. */
export function LogMapping({ heads }: { readonly heads: SeriesHeads }) {
  const session = useSession()
  const labels = stageLabelsOf(heads)
  const [mapping, setMapping] = useState(() => guessMapping(heads).mapping)
  return (
    <>
      <label className="field">
        <span>{t('The stage is the label')}</span>
        <select value={mapping.stageLabel} onChange={(event) => setMapping(guessMapping(heads, event.target.value).mapping)}>
          {labels.map((label) => (
            <option key={label} value={label}>
              {readable(label)}
            </option>
          ))}
        </select>
      </label>
      <ul className="log-series">
        {seriesGroups(heads, mapping.stageLabel).map(({ name, series }, g) => (
          <li key={name}>
            <label className="field">
              <span>
                <code>{readable(name)}</code> <span className="soft">{t('{length} series', { length: count(series.length) })}</span>
              </span>
              <select
                value={mapping.roles[g]}
                onChange={(event) => setMapping({ ...mapping, roles: mapping.roles.map((role, k) => (k === g ? (event.target.value as Role) : role)) })}
              >
                {Object.entries(roles()).map(([role, words]) => (
                  <option key={role} value={role}>
                    {words}
                  </option>
                ))}
              </select>
            </label>
          </li>
        ))}
      </ul>
      <div>
        <button type="button" className="button run" onClick={() => void mapComing(session, mapping)}>
          {t('Read them so')}
        </button>
      </div>
    </>
  )
}
