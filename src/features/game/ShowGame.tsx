import { useStore } from 'zustand'
import { Button } from '../../app/base/controls/Button.tsx'
import { type Run, runStore } from '../../app/session/run/runStore.ts'
import { useSession } from '../../app/session/useSession.ts'
import { t } from '../../language/translate.ts'
import { showGame } from './game.ts'

/** Leads back to the run of the game while the page shows another. */
export function ShowGame({ run }: { readonly run: Run }) {
  const session = useSession()
  const shows = useStore(runStore(session), (state) => state.run === run)
  return shows ? null : <Button className="link" onClick={() => void showGame(session)} text={t('Something else is on the page: show the game again')} />
}
