import { Table } from '../../../app/base/ui/Table.tsx'
import type { Run } from '../../../app/session/run/runStore.ts'
import { t } from '../../../language/translate.ts'
import { clock, duration } from '../../../views/drawing/format.ts'
import { besideOf, incidentOf, momentIn } from '../content/incidents.ts'
import './incident.css'

/** The figures that were published about a real run beside those of this one. */
export function IncidentPanel({ run: { scenario, trace } }: { readonly run: Run }) {
  const incident = incidentOf(scenario)
  if (incident === null) return null
  const { source } = incident
  const at = momentIn(trace, incident)
  return (
    <section>
      <h3>{t('Published, and here')}</h3>
      <p className="soft incident-source">
        {t('Published on {date}:', { date: source.date })}{' '}
        <a href={source.url} target="_blank" rel="noreferrer">
          {source.name}
        </a>
        {at !== null && ` · ${t('at {time}', { time: clock(at) })}`}
      </p>
      <Table className="incident" heads={[t('Stage'), t('published'), t('here')]}>
        {besideOf(trace, incident, duration).map(({ name, published, here }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{published ?? '—'}</td>
            <td>{here}</td>
          </tr>
        ))}
      </Table>
    </section>
  )
}
