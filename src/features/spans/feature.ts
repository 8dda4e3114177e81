import type { Feature } from '../../app/session/features/feature.ts'
import { spanStore } from './page/spanStore.ts'

const dialog = () => import('./page/SpanDialog.tsx')

/** Spans of a person's own system, opened as a run. */
export const spansFeature: Feature = {
  key: 'spans',
  layers: [
    {
      place: 'dialog',
      store: spanStore,
      isOpen: (session) => spanStore(session).getState().coming !== null,
      load: async () => (await dialog()).SpanDialog,
    },
  ],
  files: {
    takesAll: () => false,
    holdsRuns: true,
    recognises: async (file) =>
      (await import('./study/importSpans.ts')).spanFormatIn(file).then((format) => format !== null),
    open: async (session, file) => (await dialog()).openSpans(session, file),
  },
}
