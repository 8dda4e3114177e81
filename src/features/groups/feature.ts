import type { Feature, Shown } from '../../app/session/features/feature.ts'

const grouped = ({ either }: Shown) => either(({ source }) => source.kind === 'groups')

export const groupsFeature: Feature = {
  key: 'groups',
  panels: [
    {
      place: 'decision',
      order: 30,
      when: grouped,
      load: async () => (await import('./page/SpreadPanel.tsx')).SpreadPanel,
    },
    {
      place: 'decision',
      order: 50,
      when: grouped,
      load: async () => (await import('./page/FeederPanel.tsx')).FeederPanel,
    },
  ],
}
