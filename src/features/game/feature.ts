import type { Feature } from '../../app/session/features/feature.ts'
import { beatStore, gameCommands, openBeat } from './beatStore.ts'

export const gameFeature: Feature = {
  key: 'game',
  commands: [[16, gameCommands]],
  layers: [
    {
      place: 'beside',
      store: beatStore,
      isOpen: (session) => beatStore(session).getState().open,
      load: async () => (await import('./BeatPanel.tsx')).BeatPanel,
    },
  ],
  opens: { beat: openBeat },
}
