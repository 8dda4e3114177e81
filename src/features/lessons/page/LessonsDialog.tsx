import { Dialog } from '../../../app/base/ui/Dialog.tsx'
import { openDialog, openLesson } from '../../../app/session/page/showing.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t, tStored } from '../../../language/translate.ts'
import { lessons } from '../content/lessons.ts'
import { progressOf } from './keeping.ts'
import './lessonsDialog.css'

export function LessonsDialog() {
  const session = useSession()
  const onClose = () => openDialog(session, null)
  return (
    <Dialog title={t('Lessons')} kind="lessons" onClose={onClose}>
      <ol className="lesson-list">
        {lessons.map(({ key, title, about, steps }) => {
          const done = progressOf(key).was.length
          return (
            <li key={key} className={done >= steps.length ? 'done' : ''}>
              <button
                type="button"
                onClick={() => {
                  onClose()
                  openLesson(session, key)
                }}
              >
                <strong>{tStored(title)}</strong>
                <span className="soft">{tStored(about)}</span>
                {done > 0 && (
                  <small>
                    {done >= steps.length
                      ? t('Done')
                      : t('{done, number} of {of, plural, one {# step} other {# steps}} done', {
                          done,
                          of: steps.length,
                        })}
                  </small>
                )}
              </button>
            </li>
          )
        })}
      </ol>
    </Dialog>
  )
}
