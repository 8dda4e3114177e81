import { type DragEvent, type ReactNode, useState } from 'react'
import { t } from '../../../language/translate.ts'
import { showError } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { allowedFiles, takeFile } from './input.ts'

/** The whole page takes files: a scenario, a trace or a log opens, a text file becomes the input of the pipeline. */
export function DropTarget({ children }: { readonly children: ReactNode }) {
  const session = useSession()
  const [over, setOver] = useState(false)
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the same is in the menu More, Open a file
    <div
      className={over ? 'page over' : 'page'}
      onDragOver={(event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        setOver(false)
        const [file, ...more] = event.dataTransfer.files
        if (file === undefined) return
        event.preventDefault()
        if (more.length > 0) showError(session, t('Drop one file at a time.'))
        else void takeFile(session, file)
      }}
    >
      {children}
      {over && <div className="drop-note">{allowedFiles()}</div>}
    </div>
  )
}
