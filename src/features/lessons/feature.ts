import type { Commands } from '../../app/session/commands.ts'
import type { Feature, Layer } from '../../app/session/features/feature.ts'
import { lessonStore, openDialog, openLesson, showingStore } from '../../app/session/page/showing.ts'
import type { Session } from '../../app/session/session.ts'
import { t } from '../../language/translate.ts'
import { firstLesson, followLessons } from './page/keptLesson.ts'

const commands: Commands = (session) => [
  {
    name: 'lessons',
    menu: { section: 'learn', label: t('Lessons') },
    control: 'lessons',
    act: () => openDialog(session, 'lessons'),
  },
  {
    name: 'gallery',
    menu: { section: 'learn', label: t('Gallery') },
    control: 'gallery',
    act: () => openDialog(session, 'gallery'),
  },
]

const dialog = (name: string, load: Layer['load']): Layer => ({
  place: 'dialog',
  store: showingStore,
  isOpen: (session: Session) => showingStore(session).getState().dialog === name,
  load,
})

export const lessonsFeature: Feature = {
  key: 'lessons',
  commands: [[14, commands]],
  layers: [
    {
      place: 'beside',
      store: lessonStore,
      isOpen: (session) => lessonStore(session).getState().key !== null,
      load: async () => (await import('./page/LessonPanel.tsx')).LessonPanel,
    },
    dialog('lessons', async () => (await import('./page/LessonsDialog.tsx')).LessonsDialog),
    dialog('gallery', async () => (await import('./page/GalleryDialog.tsx')).GalleryDialog),
  ],
  opens: {
    lesson: openLesson,
    firstLesson,
    lessons: (session) => openDialog(session, 'lessons'),
    gallery: (session) => openDialog(session, 'gallery'),
  },
  attend: followLessons,
}
