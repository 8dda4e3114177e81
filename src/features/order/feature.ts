import type { Feature } from '../../app/session/features/feature.ts'

export const orderFeature: Feature = {
  key: 'order',
  panels: [
    {
      place: 'decision',
      order: 40,
      when: ({ run, either }) => run !== null && either(({ order }) => order.kind !== 'none'),
      load: async () => (await import('./page/OrderPanel.tsx')).OrderPanel,
    },
  ],
}
