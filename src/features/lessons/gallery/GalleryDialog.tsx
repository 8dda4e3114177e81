import { useEffect, useState } from 'react'
import { Dialog } from '../../../app/base/ui/Dialog.tsx'
import { openScenario } from '../../../app/session/run/runStore.ts'
import { openDialog } from '../../../app/session/run/showing.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { type JobThreads, openJobThreads } from '../../../runs/remote/jobThreads.ts'
import { type Ladder, ladders } from '../../../scenario/presets/ladders.ts'
import type { Preset } from '../../../scenario/presets/preset.ts'
import { presetOf } from '../../../scenario/presets/presets.ts'
import { GlimpsePicture } from './Glimpse.tsx'
import './gallery.css'

/** All presets with a picture of their run, on three ladders that begin with the simplest. */
export function GalleryDialog() {
  const session = useSession()
  const onClose = () => openDialog(session, null)
  const [threads, setThreads] = useState<JobThreads | null>(null)
  useEffect(() => {
    const opened = openJobThreads(2)
    setThreads(opened)
    return opened.end
  }, [])
  return (
    <Dialog title={t('Gallery')} kind="gallery" onClose={onClose}>
      <p className="soft">{t('Above, how many wait at each stage over the whole run; below, who works where.')}</p>
      {(Object.keys(ladders) as Ladder[]).map((ladder) => (
        <section key={ladder} aria-labelledby={`ladder-${ladder}`}>
          <h3 id={`ladder-${ladder}`}>{nameOf(ladder)}</h3>
          <ol>
            {ladders[ladder].map((key) => {
              const preset = presetOf(key)
              return preset === undefined || threads === null ? null : <Entry key={key} preset={preset} threads={threads} onClose={onClose} />
            })}
          </ol>
        </section>
      ))}
    </Dialog>
  )
}

function Entry({ preset, threads, onClose }: { readonly preset: Preset; readonly threads: JobThreads; readonly onClose: () => void }) {
  const session = useSession()
  const { title, about, scenario, engine } = preset
  return (
    <li>
      <button
        type="button"
        onClick={() => {
          onClose()
          openScenario(session, scenario, engine)
        }}
      >
        <GlimpsePicture preset={preset} threads={threads} />
        <strong>{title}</strong>
        <span className="soft">{about}</span>
        {engine === 'threads' && <small>{t('On Web Workers')}</small>}
      </button>
    </li>
  )
}

function nameOf(ladder: Ladder): string {
  if (ladder === 'queues') return t('Pipelines and queues')
  return ladder === 'seats' ? t('Who works where') : t('When it breaks')
}
