import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { runStore } from '../../../app/session/run/runStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { setPublishing } from '../publishing.ts'
import { keyToRun } from './presentKeys.ts'

/** What keys do, for fingers: large buttons at the foot, which only a touch screen or a phone shows. */
export function PresentButtons() {
  const session = useSession()
  const playing = useStore(runStore(session), (state) => state.playing)
  const empty = useStore(runStore(session), ({ run }) => run === null)
  const step = (label: string, key: string, path: string) => (
    <Button className="icon" aria-label={label} disabled={empty && key !== ' '} onClick={() => void keyToRun(session, key)}>
      <svg viewBox="0 0 16 16" width="22" height="22" aria-hidden="true">
        <path d={path} fill="currentColor" stroke="currentColor" strokeWidth="1.4" strokeLinejoin="round" />
      </svg>
    </Button>
  )
  return (
    <div className="presenter-buttons" role="toolbar" aria-label={t('Playback')}>
      {step(t('Previous decision'), 'ArrowLeft', 'M3 2v12M13 2 6 8l7 6z')}
      {step(empty ? t('Run') : playing ? t('Pause') : t('Play'), ' ', playing ? 'M4 2.5h2v11H4zM10 2.5h2v11h-2z' : 'M4 2v12l9-6z')}
      {step(t('Next decision'), 'ArrowRight', 'M13 2v12M3 2l7 6-7 6z')}
      <Button className="button" onClick={() => setPublishing(session, { presenting: false })} text={t('Leave')} />
    </div>
  )
}
