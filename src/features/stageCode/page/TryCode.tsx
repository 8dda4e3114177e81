import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Field, messageAttributes } from '../../../app/base/forms/fields.tsx'
import { readValues, writeValues } from '../../../app/base/forms/typedText.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import type { Session } from '../../../app/session/session.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t, tStored } from '../../../language/translate.ts'
import { beganAt, endedAt, FINISHED } from '../../../pipeline/rows.ts'
import { startRun } from '../../../runs/remote/remoteRun.ts'
import type { Stage } from '../../../scenario/model/scenario.ts'
import { scenarioOf } from '../../../scenario/presets/preset.ts'
import { duration } from '../../../views/drawing/format.ts'

/** After this long a trial is stopped: an endless loop ends here. */
const MAX_MILLISECONDS = 10_000
/** At most this many characters of an output are shown. */
const MAX_SHOWN = 4000

type Tried = { readonly output: string; readonly took: number } | { readonly problem: string }

/**
 * Runs the code of a stage for one input, on a thread like those of a run. Nothing of it runs before a press. `before`: the stages of a line that lead to it;
 * a press makes an input of the first one of the scenario.
 */
export function TryCode({
  stage,
  before,
  first,
  example,
}: {
  readonly stage: Stage
  readonly before: readonly Stage[]
  readonly first: unknown
  readonly example: unknown
}) {
  const session = useSession()
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [tried, setTried] = useState<Tried | 'running' | null>(null)
  const trial = useRef<AbortController | null>(null)
  useEffect(() => () => trial.current?.abort(), [])
  const input = typed ?? writeValues([example])
  const play = async (stages: readonly Stage[], value: unknown): Promise<Tried | null> => {
    trial.current?.abort()
    const control = new AbortController()
    trial.current = control
    setTried('running')
    const result = await tryOnce(session, stages, value, control.signal)
    return control.signal.aborted ? null : result
  }
  const run = async () => {
    const read = readValues(input)
    const result = await play([stage], 'value' in read ? (read.value[0] ?? '') : '')
    if (result !== null) setTried(result)
  }
  const fill = async () => {
    const result = await play(before, first)
    if (result === null) return
    if ('output' in result) setTyped(result.output)
    setTried('output' in result ? null : result)
  }
  const hint = t('JSON, or a text')
  return (
    <div className="code-try">
      <Field id={id} label={t('Input')} message={null} hint={hint} wide>
        <textarea
          {...messageAttributes(id, null, hint)}
          rows={2}
          spellCheck={false}
          autoComplete="off"
          value={input}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <p>
        <Button onClick={run} disabled={tried === 'running'} text={t('Try it')} />{' '}
        {before.length > 0 && (
          <Button
            className="link"
            onClick={fill}
            disabled={tried === 'running'}
            text={t('Use the output of the stages before')}
          />
        )}{' '}
        {tried === 'running' && <span className="soft">{t('Running.')}</span>}
      </p>
      <div aria-live="polite">
        {tried !== null &&
          tried !== 'running' &&
          ('problem' in tried ? <p className="form-error">{tried.problem}</p> : <Output {...tried} />)}
      </div>
    </div>
  )
}

function Output({ output, took }: { readonly output: string; readonly took: number }) {
  return (
    <>
      <p className="soft">{t('Output, after {time}:', { time: duration(took) })}</p>
      <pre data-part="tried">{output.length > MAX_SHOWN ? `${output.slice(0, MAX_SHOWN)}…` : output}</pre>
    </>
  )
}

/** Plays one job through these stages, one after the other, as a run would. The signal stops it. */
async function tryOnce(
  session: Session,
  stages: readonly Stage[],
  value: unknown,
  signal: AbortSignal,
): Promise<Tried> {
  let output: Promise<string> | null = null
  let problem = ''
  let took = 0
  const handle = startRun(
    'threads',
    scenarioOf({
      source: { kind: 'values', values: [value] },
      stages: stages.map((stage) => ({
        ...stage,
        startUp: null,
        changes: [],
        fails: null,
        capacity: null,
        resource: null,
        fanOut: 'copy',
        join: 'merge',
      })),
      workers: 1,
      seed: scenarioStore(session).getState().scenario.seed,
    }),
    null,
    {
      journal({ rows }) {
        for (let i = 0; i < rows.length; i++) if (rows.kind[i] === FINISHED) took = endedAt(rows, i) - beganAt(rows, i)
      },
      failure(failure) {
        problem ||= failure.reason
      },
      output: ({ blob }) => {
        output = blob.text()
      },
      ended() {},
    },
    { stageThreads: runStore(session).getState().openStageThreads() },
  )
  const limit = AbortSignal.timeout(MAX_MILLISECONDS)
  for (const stopSignal of [signal, limit]) stopSignal.addEventListener('abort', () => void handle.stop())
  await handle.finished
  if (limit.aborted)
    return {
      problem: t('No output after {time}. Does the code loop forever?', { time: duration(MAX_MILLISECONDS * 1000) }),
    }
  const text = await (output as Promise<string> | null)
  return text === null || problem !== '' ? { problem: tStored(problem) } : { output: text.trimEnd(), took }
}
