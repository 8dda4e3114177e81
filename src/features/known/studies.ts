import type { Studies } from '../../runs/remote/studies.ts'
import { duration } from '../../views/drawing/format.ts'

const incidents = () => import('./content/incidents.ts')

export const knownStudies: Studies = {
  key: 'known',
  presets: async () => (await incidents()).incidentPresets,
  figures: async (trace) => {
    const { besideOf, incidentOf } = await incidents()
    const incident = incidentOf(trace.scenario)
    if (incident === null) return []
    const rows = besideOf(trace, incident, duration)
    return rows.flatMap(({ name, published, here }) =>
      published === null ? [] : [[`${name}, published`, published] as const, [`${name}, here`, here] as const],
    )
  },
}
