import { useEffect, useId, useRef } from 'react'
import { useStore } from 'zustand'
import { numbersOf, t } from '../../../language/translate.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Select } from '../../base/controls/Select.tsx'
import { forkAtPlayhead } from '../../session/page/playhead.ts'
import { openDialog, openRecord } from '../../session/page/showing.ts'
import { askFault, toolsStore } from '../../session/page/timelineStore.ts'
import { speeds } from '../../session/run/playback.ts'
import { chooseSpeed, runStore } from '../../session/run/runStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { TimelineSearch } from '../../watch/timeline/TimelineSearch.tsx'
import { BreakPanel } from '../../watch/transport/BreakPanel.tsx'
import './tools.css'

interface Props {
  readonly show: 'all' | 'find' | 'pauses'
  close(): void
}

/** The speed, the search, and buttons for pauses, forks, faults and keys. The conditions of a pause replace it while they are open. */
export function ToolsPanel({ show, close }: Props) {
  const session = useSession()
  const { run, phase, speed, speedChoice, engine } = useStore(runStore(session))
  const present = useStore(scenarioStore(session), ({ scenario }) => scenario)
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>(show === 'find' ? 'input' : 'select, input')?.focus()
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [show])
  if (show === 'pauses') return <BreakPanel id={id} scenario={run?.scenario ?? present} />
  const then = (act: () => unknown) => () => {
    close()
    act()
  }
  return (
    <div className="tools-panel" role="dialog" aria-label={t('Tools')} ref={panel}>
      <label className="field small" data-control="speed">
        <span>{t('Speed')}</span>
        <Select
          aria-label={t('Speed')}
          value={speedChoice}
          disabled={phase === 'running' && isRealTime(engine)}
          options={[
            ['auto', speedChoice === 'auto' && run !== null ? `${t('Auto')}, ${spelled(speed)}` : t('Auto')],
            ...speeds.map((value) => [value, spelled(value)] as const),
          ]}
          choose={(value) => chooseSpeed(session, value)}
        />
      </label>
      <TimelineSearch taken={close} />
      <Button
        className="button small"
        data-control="breaks"
        onClick={() => toolsStore(session).setState({ open: 'pauses' })}
        text={t('Pause when…')}
      />
      <Button
        className="button small"
        data-control="fork editing"
        title={`${t('Fork here')} (K)`}
        disabled={run === null}
        onClick={then(() => forkAtPlayhead(session))}
        text={t('Fork here')}
      />
      <Button
        className="button small"
        data-control="sabotage editing"
        onClick={({ currentTarget }) => {
          const { left, top } = currentTarget.getBoundingClientRect()
          close()
          openRecord(session, 'timeline')
          askFault(session, { time: null, x: left, y: top })
        }}
        text={t('Inject fault')}
      />
      <Button
        className="button small"
        data-control="keys"
        title={`${t('Keys')} (?)`}
        onClick={then(() => openDialog(session, 'keys'))}
        text={t('Keys')}
      />
    </div>
  )
}

const plain = numbersOf({ maximumSignificantDigits: 6 })

function spelled(speed: number): string {
  return speed < 0.01 ? `1/${Math.round(1 / speed)}×` : `${plain(speed)}×`
}
