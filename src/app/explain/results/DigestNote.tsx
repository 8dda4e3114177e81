import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { inSlices } from '../../../runs/remote/inSlices.ts'
import { same } from '../../../scenario/model/compact.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import { useLater } from '../../base/page/useLater.ts'
import { Translated } from '../../base/ui/Translated.tsx'
import { Words } from '../../base/words/Words.tsx'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { digestStore } from './digest.ts'
import './results.css'

const digests = new WeakMap<Run, string>()

/** Returns the digest of a run that has ended, worked out once and in slices; null if it is not wanted any more. */
export async function digestOfRun(run: Run, wanted: () => boolean): Promise<string | null> {
  const known = digests.get(run)
  if (known !== undefined) return known
  const { digestInSteps } = await import('../../../trace/digest.ts')
  const digest = await inSlices(digestInSteps(run.trace), wanted)
  if (digest !== null) digests.set(run, digest)
  return digest
}

/** Compares the run on this machine with the digest in the link. */
export function DigestNote() {
  const session = useSession()
  const expected = useStore(digestStore(session), (state) => state.expected)
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const { run, phase } = useStore(runStore(session))
  const applies = expected !== null && same(scenario, expected.scenario)
  const ended = phase === 'ended' && run?.scenario === scenario ? run : null
  const comparable =
    applies && ended !== null && !isRealTime(ended.trace.engine) && ended.trace.ending !== 'stopped' ? ended : null
  const digest = useLater(comparable, (ended, signal) => digestOfRun(ended, () => !signal.aborted))
  if (!applies) return null
  return (
    <p className="digest-note" aria-live="polite">
      {comparable === null ? (
        <>
          <Words text={t('This link carries the digest of its run.')} />{' '}
          {ended !== null && isRealTime(ended.trace.engine)
            ? t('Only a simulation can be compared with it: real workers never take the same time twice.')
            : t('Run the simulation to see whether yours is the same.')}
        </>
      ) : digest === null ? (
        t('Comparing the run with the one this link was made from.')
      ) : digest === expected.digest ? (
        <Translated
          text="<b>Reproduced:</b> the run is the one this link was made from, digit for digit. <c>{digest}</c>"
          values={{ digest }}
          tags={{ b: (inside) => <strong className="good">{inside}</strong> }}
        />
      ) : (
        <Translated
          text="<b>Differs:</b> this run has the digest <c>{digest}</c>, the one this link was made from had <c>{expected}</c>. Another version of Apportion played it, or the link was altered."
          values={{ digest, expected: expected.digest }}
          tags={{ b: (inside) => <strong className="warning">{inside}</strong> }}
        />
      )}
    </p>
  )
}
