import type { Feature } from '../../app/session/features/feature.ts'
import { hasGains, isElastic } from '../../scenario/model/defaults.ts'

export const poolsFeature: Feature = {
  key: 'pools',
  panels: [
    {
      place: 'decision',
      order: 10,
      when: ({ either }) => either(({ policy }) => isElastic(policy)),
      load: async () => (await import('./page/ElasticPanel.tsx')).ElasticPanel,
    },
    {
      place: 'decision',
      order: 20,
      when: ({ scenario }) => hasGains(scenario.policy),
      load: async () => (await import('./page/TunePanel.tsx')).TunePanel,
    },
  ],
}
