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
        <Translated text="A pipeline has more stages with work waiting than there are workers: <b>who should work where, now?</b> Draw a pipeline, press Run, and watch a scheduler move the workers between its stages: in a simulation, or for real, on threads of your browser. Every decision can be opened and argued with. A scenario is a link, and nothing leaves your machine." />
      </p>
      <section>
        <h3>{t('Reading the picture')}</h3>
        <Legend />
        <p>
          {t(
            'A stage’s votes are its waiting jobs times the estimated service time of one; a policy turns votes into targets, and the half circle shows them as seats.',
          )}
        </p>
      </section>
      <section>
        <h3>{t('Whose ideas')}</h3>
        <p>
          {t(
            'Seats after votes: Jefferson, Hamilton, Adams, Webster, Dean, Huntington and Hill, as Balinski and Young (1982) tell it; the least total time by Gross (1956) and Fox (1966). Backpressure: Tassiulas and Ephremides (1992). Pools that grow by threshold: SEDA, by Welsh, Culler and Brewer (2001); by additive increase and multiplicative decrease: Chiu and Jain (1989); by a forecast: Winters (1960). Theory beside the figures: Erlang, Pollaczek and Khinchine, Jackson, and Little (1961).',
          )}
        </p>
      </section>
      <p>
        <a className="link" href="./licences.txt" target="_blank" rel="noopener">
          {t('Licences')}
        </a>{' '}
        {t('of Apportion and of the libraries in it')}
      </p>
      <KeyList commands={commandsOf(session)} />
    </Dialog>
  )
}
