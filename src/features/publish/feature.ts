import type { Feature, Layer } from '../../app/session/features/feature.ts'
import { fetchHandout, followPrinting } from './handout/followPrinting.ts'
import { publishingCommands, publishingStore, setPublishing } from './publishing.ts'

const layer = (place: Layer['place'], what: 'film' | 'presenting' | 'printing', load: Layer['load']): Layer => ({
  place,
  store: publishingStore,
  isOpen: (session) => Boolean(publishingStore(session).getState()[what]),
  load,
})

export const publishFeature: Feature = {
  key: 'publish',
  commands: [[56, publishingCommands]],
  layers: [
    layer('dialog', 'film', async () => (await import('./film/FilmDialog.tsx')).FilmDialog),
    layer('dialog', 'printing', async () => (await fetchHandout()).Handout),
    layer('page', 'presenting', async () => (await import('./present/Presenter.tsx')).Presenter),
  ],
  opens: { presentation: (session) => setPublishing(session, { presenting: true }) },
  attendLater: async (session) => followPrinting(session),
}
