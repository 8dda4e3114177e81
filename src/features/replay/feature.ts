import type { Feature } from '../../app/session/features/feature.ts'

export const replayFeature: Feature = {
  key: 'replay',
  panels: [
    {
      place: 'moreOfDecision',
      order: 90,
      when: ({ run, secret }) => run !== null && !secret,
      load: async () => (await import('./page/ReplayPanel.tsx')).ReplayPanel,
    },
  ],
}
