import { type ReactNode, useMemo } from 'react'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Translated } from '../../../app/base/ui/Translated.tsx'
import { openRecord } from '../../../app/session/page/showing.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import { useSecrets } from '../../../app/session/secrets/secrets.ts'
import type { Session } from '../../../app/session/session.ts'
import { useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { explainBound } from '../../../measures/figures/lowerBound.ts'
import type { RecordViewName } from '../../../scenario/link/opening.ts'
import { policies } from '../../../scenario/model/policies.ts'
import { duration, percent } from '../../../views/drawing/format.ts'
import { comparePolicies } from './comparing.ts'
import { type Better, baselineWords, boundWords, judgedAgainst, judgingStudy, type Verdict, verdictOn } from './judging.ts'

/** The verdict on a finished run, in a sentence or two with links to the comparison behind them. */
export function RunVerdict({ run }: { readonly run: Run }) {
  const entrants = useMemo(() => judgedAgainst(run), [run])
  const { found } = useStudy(judgingStudy, entrants, true).state
  const secret = useSecrets().all.length > 0
  const verdict = found === null || secret ? null : verdictOn(run, found)
  if (verdict === null) return null
  return <> {verdict.engine === 'threads' ? <BesideSimulation {...verdict} /> : <BesidePolicies run={run} {...verdict} />}</>
}

function BesidePolicies({ run, baseline, bound, distance, better }: { readonly run: Run } & Extract<Verdict, { engine: 'simulation' }>) {
  const parts = [...(baseline === null ? [] : [baselineWords(baseline)]), ...(bound.time > 0 ? [boundWords(distance)] : [])]
  const sentence = parts.join('; ')
  return (
    <>
      {sentence !== '' && <span title={explainBound(bound, duration)}>{`${sentence.charAt(0).toLocaleUpperCase()}${sentence.slice(1)}.`}</span>}
      {better !== null && <BetterFlow run={run} better={better} baseline={baseline} />}
    </>
  )
}

function BetterFlow({ run, better, baseline }: { readonly run: Run; readonly better: Better } & Pick<Extract<Verdict, { engine: 'simulation' }>, 'baseline'>) {
  const session = useSession()
  const compare = () => {
    comparePolicies(session, [run.scenario.policy.kind, better.kind, ...(baseline === null ? [] : [baseline.kind])])
    leadTo(session, 'compare')
  }
  return (
    <>
      {' '}
      <Translated
        text="{policy} has {share} less mean flow time: <go>compare</go>."
        values={{ policy: policies[better.kind].name(), share: percent(better.saved, 0) }}
        tags={{ go: (inside) => <Button className="link" onClick={compare} text={inside} /> }}
      />
    </>
  )
}

function BesideSimulation({ real, simulated }: Extract<Verdict, { engine: 'threads' }>) {
  const session = useSession()
  const values = { time: duration(Math.abs(real - simulated)) }
  const tags = { go: (inside: ReactNode) => <Button className="link" onClick={() => leadTo(session, 'reality')} text={inside} /> }
  return real >= simulated ? (
    <Translated text="{time} slower than simulated: <go>see why</go>." values={values} tags={tags} />
  ) : (
    <Translated text="{time} faster than simulated: <go>see why</go>." values={values} tags={tags} />
  )
}

function leadTo(session: Session, view: RecordViewName): void {
  openRecord(session, view)
  document.getElementById(`tab-${view}`)?.focus()
}
