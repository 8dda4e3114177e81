import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { runStore } from '../../../app/session/run/runStore.ts'
import { start } from '../../../app/session/run/startStop.ts'
import { allowedCodeStore, unseenStages } from '../../../app/session/scenario/allowedCode.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { listed } from '../../../scenario/model/words.ts'
import './stageCode.css'

/** How many stages the notice names. */
const MAX_NAMED = 6

/** Says which stages of a link or a file have code that has not run here, until it is run or written. It is no dialog: Run does the same as its button. */
export function CodeNotice() {
  const session = useSession()
  useStore(allowedCodeStore(session))
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const running = useStore(runStore(session), ({ phase }) => phase === 'running')
  const unseen = unseenStages(session, scenario)
  if (unseen.length === 0 || running) return null
  const names = unseen.slice(0, MAX_NAMED).map(({ name }) => isolated(name))
  const more = unseen.length - names.length
  const stages = listed(more > 0 ? [...names, t('{n, plural, one {# more stage} other {# more stages}}', { n: more })] : names)
  const run = () => {
    runStore(session).setState({ engine: 'threads' })
    void start(session)
  }
  return (
    <section className="code-notice" aria-label={t('Code in this scenario')}>
      <p>
        {t(
          '{stages} {n, plural, one {has} other {have}} code written by the author of this scenario. It runs when you say so, in threads without network, storage or page.',
          {
            stages,
            n: unseen.length,
          },
        )}
      </p>
      <Button className="button" onClick={run} text={t('Run this code')} />
    </section>
  )
}
