import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { Button } from '../../base/controls/Button.tsx'
import { reload } from '../../session/offline/reload.ts'
import { runStore } from '../../session/run/runStore.ts'
import { saveCanvas } from '../../session/scenario/savedCanvas.ts'
import { useSession } from '../../session/useSession.ts'

/** Saves what was on a page that cannot be shown. */
export function Rescue() {
  const session = useSession()
  const run = useStore(runStore(session), (state) => state.run)
  const saveTrace = async () => {
    if (run !== null) await (await import('../../share/files/exportRun.ts')).saveTrace(session, run)
  }
  return (
    <>
      <Button text={t('Download scenario')} onClick={() => saveCanvas(session)} />
      {run !== null && <Button text={t('Download trace')} onClick={saveTrace} />}
      <Button text={t('Reload')} onClick={reload} />
    </>
  )
}
