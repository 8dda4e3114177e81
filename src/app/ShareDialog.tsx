import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { toJsonFragment, toShortFragment } from '../scenario/codec.ts'
import { MAX_SHORT } from '../scenario/limits.ts'
import { counted } from '../scenario/words.ts'
import { clock, count } from '../views/format.ts'
import { Dialog } from './Dialog.tsx'
import { playback } from './playback.ts'
import { digestOfRun } from './replayStore.ts'
import { runStore } from './runStore.ts'
import { scenarioStore } from './scenarioStore.ts'

/** The scenario as a link: short to send, or long to read and write by hand. */
export function ShareDialog({ onClose }: { readonly onClose: () => void }) {
  const scenario = useStore(scenarioStore, (state) => state.scenario)
  const whole = useStore(scenarioStore, (state) => state.whole)
  const shown = useStore(scenarioStore, (state) => state.shown)
  const { run, phase } = useStore(runStore)
  const [atTime, setAtTime] = useState(false)
  const [withDigest, setWithDigest] = useState(false)
  const [digest, setDigest] = useState<string | null>(null)
  const opening = { ...(atTime ? { at: Math.round(playback.time) } : {}), ...(withDigest ? { digest } : {}) }
  // Of a simulation only: real threads never take the same time twice. And of the trunk, which is what a link opens.
  const simulated =
    shown === null && phase === 'ended' && run?.scenario === scenario && run.trace.engine === 'simulation' && run.trace.ending !== 'stopped' ? run : null
  const short = toShortFragment(whole, opening)
  const here = location.href.split('#')[0]
  useEffect(() => {
    let wanted = true
    if (withDigest && simulated !== null) void digestOfRun(simulated, () => wanted).then((found) => wanted && setDigest(found))
    return () => {
      wanted = false
    }
  }, [withDigest, simulated])
  return (
    <Dialog title="Share this scenario" onClose={onClose}>
      <p>
        Whoever opens the link sees the same pipeline and the same luck, and their simulation is yours, digit for digit. The scenario travels in the link
        itself: nothing is stored anywhere.
      </p>
      {whole.branches.length > 0 && <p>It carries the trunk and {counted(whole.branches.length, 'branch', 'branches')}, and opens with the trunk.</p>}
      {run !== null && playback.time > 0 && (
        <label className="check">
          <input type="checkbox" checked={atTime} onChange={(event) => setAtTime(event.target.checked)} />
          <span>Open at {clock(playback.time)}, where the playhead stands</span>
        </label>
      )}
      {simulated !== null && (
        <label className="check">
          <input type="checkbox" checked={withDigest} onChange={(event) => setWithDigest(event.target.checked)} />
          <span>With the digest of this run: whoever runs it sees whether theirs is the same</span>
        </label>
      )}
      <LinkField label="Link" link={here + short} />
      {short.length > MAX_SHORT && (
        <p className="warning">
          It has more than the {count(MAX_SHORT)} characters that are read, for its lists are long. Take the one below, or More, Download scenario.
        </p>
      )}
      <LinkField label="Link that can be read and written by hand" link={here + toJsonFragment(whole, opening)} />
      {scenario.source.kind === 'lines' && <p className="soft">The file itself stays with you: whoever opens the link drops their own, or uses the sample.</p>}
    </Dialog>
  )
}

export function LinkField({ label, link }: { readonly label: string; readonly link: string }) {
  const [copied, setCopied] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  async function copy() {
    try {
      await navigator.clipboard.writeText(link)
      setCopied(true)
    } catch {
      // Without leave to write the clipboard the text is selected, ready for the person's own copy.
      field.current?.select()
    }
  }
  return (
    <div className="link-field">
      <label>
        <span>
          {label} <span className="soft">{count(link.length)} characters</span>
        </span>
        <input ref={field} readOnly value={link} onFocus={(event) => event.target.select()} />
      </label>
      <button type="button" className="button" onClick={copy}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}
