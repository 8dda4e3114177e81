import type { Feature } from '../../app/session/features/feature.ts'
import { t } from '../../language/translate.ts'

export const knownFeature: Feature = {
  key: 'known',
  panels: [
    {
      place: 'answers',
      order: 5,
      when: ({ run }) => run?.scenario.stages.some(({ startUp }) => startUp !== null) === true,
      load: async () => (await import('./page/IncidentPanel.tsx')).IncidentPanel,
    },
  ],
  gallery: {
    title: () => t('Known systems'),
    load: async () => (await import('./content/incidents.ts')).incidentPresets,
  },
}
