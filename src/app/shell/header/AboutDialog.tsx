import { t } from '../../../language/translate.ts'
import { Legend } from '../../base/page/Legend.tsx'
import { Dialog } from '../../base/ui/Dialog.tsx'
import { KeyList } from '../../base/ui/KeyList.tsx'
import { Translated } from '../../base/ui/Translated.tsx'
import { commandsOf } from '../../session/commands.ts'
import { useSession } from '../../session/useSession.ts'

/** What Apportion is, how to use it, and whose ideas it builds on. */
export function AboutDialog({ onClose }: { readonly onClose: () => void }) {
  const session = useSession()
  return (
    <Dialog title={t('About Apportion')} onClose={onClose}>
      <p>
        <Translated text="More work is waiting than there are workers: <b>who should work where, now?</b> Draw a pipeline, press Run, and watch a scheduler move the workers. Each decision is explained. Nothing leaves your machine." />
      </p>
      <section>
        <h3>{t('Reading the picture')}</h3>
        <Legend />
      </section>
      <section>
        <h3>{t('Whose ideas')}</h3>
        <p>
          {t(
            'Seats: Balinski and Young (1982), Gross (1956), Fox (1966). Backpressure: Tassiulas and Ephremides (1992). Pools: Welsh, Culler and Brewer (2001), Chiu and Jain (1989), Winters (1960). Theory: Erlang, Pollaczek and Khinchine, Jackson, Little (1961).',
          )}
        </p>
      </section>
      <p>
        <a className="link" href="./licences.txt" target="_blank" rel="noopener">
          {t('Licences')}
        </a>
      </p>
      <KeyList commands={commandsOf(session)} />
    </Dialog>
  )
}
