import { useStore } from 'zustand'
import type { Problem } from '../scenario/scenario.ts'
import { bytes, count } from '../views/format.ts'
import { Dialog } from './Dialog.tsx'
import { chooseFile } from './input.ts'
import { LogMapping } from './LogMapping.tsx'
import { LogView } from './LogView.tsx'
import { acceptComing, cancelLog, closeLogs, openLog, openSampleLog, readComing, SAMPLE } from './logFile.ts'
import { type ComingLog, logStore } from './logStore.ts'
import { themeStore } from './theme.ts'
import './ask.css'
import './replay.css'
import './log.css'

/** What somebody's own system has logged, put to the allocator point by point. */
export function LogDialog() {
  const { coming, problems, shown } = useStore(logStore)
  useStore(themeStore)
  return (
    <Dialog title={shown !== null && coming === null ? `Your own log: ${shown.name}` : 'Your own log'} kind="log" onClose={closeLogs}>
      {problems.length > 0 && <Faults problems={problems} alert />}
      {coming !== null && <Coming coming={coming} />}
      {coming === null && (
        <div className="log-open">
          <button type="button" className="button" onClick={() => chooseFile(openLog)}>
            Choose a file
          </button>
          <button type="button" className="button" onClick={() => void openSampleLog()}>
            Use the sample log
          </button>
          <span className="soft">or drop one here: CSV or JSON, up to 200 MB. Nothing leaves this page.</span>
        </div>
      )}
      {coming === null && (shown === null ? <Format /> : <LogView key={shown.serial} shown={shown} />)}
    </Dialog>
  )
}

/** A file on its way in: its size first, then how far it is, then what has to be said of it. */
function Coming({ coming }: { readonly coming: ComingLog }) {
  const { name, size, step } = coming
  return (
    <section className="log-coming" aria-label="The file">
      <p>
        <strong>{name}</strong>, {bytes(size)}
        {step === 'waiting' && <>: reading it takes a while, and up to {bytes(5 * size)} of memory.</>}
        {step === 'bad' && (
          <>
            : {count(coming.bad)} of {count(coming.bad + coming.log.points.log.length)} rows cannot be read.
          </>
        )}
        {step === 'mapping' && <>: what are these series?</>}
      </p>
      {step === 'mapping' && <LogMapping heads={coming.heads} />}
      {step === 'bad' && <Faults problems={coming.problems} more={coming.bad - coming.problems.length} />}
      <div className="replay-progress">
        {step === 'waiting' && (
          <button type="button" className="button run" onClick={() => void readComing()}>
            Open
          </button>
        )}
        {step === 'reading' && <progress value={coming.share} max={1} aria-label="Reading the log" />}
        {step === 'bad' && (
          <button type="button" className="button run" onClick={acceptComing}>
            Go on without {coming.bad === 1 ? 'it' : 'them'}
          </button>
        )}
        <button type="button" className="link" onClick={cancelLog}>
          Cancel
        </button>
      </div>
    </section>
  )
}

interface FaultsProps {
  readonly problems: readonly Problem[]
  /** How many there are besides. */
  readonly more?: number
  readonly alert?: boolean
}

function Faults({ problems, more = 0, alert = false }: FaultsProps) {
  return (
    <ul className="ask-problems" role={alert ? 'alert' : undefined}>
      {problems.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          {path !== '' && <strong>{path}:</strong>} {message}
        </li>
      ))}
      {more > 0 && <li>and {count(more)} more</li>}
    </ul>
  )
}

/** What a log has to look like. */
function Format() {
  return (
    <section className="log-format">
      <p>
        How many jobs waited at each stage, how long one took, who worked where: at every point of the log the allocator is asked who should have worked where.
        Its answer stands beside what your system did.
      </p>
      <pre>{`time,stage,queue,service_ms,workers
2026-03-02T09:00:10Z,Fetch,1,115.2,2
2026-03-02T09:00:10Z,Resize,72,424,4`}</pre>
      <ul>
        <li>
          <code>time</code>: a date, or a number: seconds, or milliseconds since 1970; <code>time_s</code>, <code>time_ms</code>, <code>time_us</code> say so.
          Rows stand in order of time; those of one time are one point.
        </li>
        <li>
          <code>queue</code>: jobs that wait. <code>service_us</code>, <code>service_ms</code> or <code>service_s</code>: what one takes on average; empty: as
          before.
        </li>
        <li>
          <code>workers</code>: how many the stage had; without this column you say how many there are.
        </li>
        <li>JSON: a list of objects with these keys, one object a line, or the answer to a range query of Prometheus.</li>
      </ul>
      <p>
        <a className="link" href={SAMPLE} download>
          Download the sample
        </a>
      </p>
    </section>
  )
}
