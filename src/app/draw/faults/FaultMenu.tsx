import { type CSSProperties, useEffect, useId, useRef } from 'react'
import { t } from '../../../language/translate.ts'
import { type Fault, newPhase, newWorkerEvent, SLOWER } from '../../../scenario/edit/faults.ts'
import { isElastic } from '../../../scenario/model/defaults.ts'
import type { Micros, WorkerEvent } from '../../../scenario/model/scenario.ts'
import { clock } from '../../../views/drawing/format.ts'
import { type MenuEntry, MenuList, onPressElsewhere } from '../../base/ui/Menu.tsx'
import type { FaultRequest } from '../../session/page/timelineStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { faultWords, speedWords, workerEventWords } from './faultWords.ts'
import { newSlowdownAt, putFaultOrShowProblems } from './putFault.ts'

type Props = { readonly asked: FaultRequest; readonly time: Micros; readonly close: (added: string | null) => void }

/** The menu of a new fault: a slower stage, a worker that crashes, hangs, leaves or joins, or another policy. It closes with the key of what was added. */
export function FaultMenu({ asked, time, close }: Props) {
  const session = useSession()
  const id = useId()
  const { root, style } = usePlace(asked.x, asked.y, 260, () => close(null))
  useEffect(() => root.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus(), [root])
  const { draft } = scenarioStore(session).getState()
  let added: string | null = null
  const add = (made: Fault | null) => {
    if (made !== null) added = putFaultOrShowProblems(session, made, null)
    close(added)
  }
  const at = Math.max(0, Math.round(time))
  const ofWorker = (kind: WorkerEvent['kind']): MenuEntry => {
    const event = newWorkerEvent(draft, kind, at)
    const refused = kind === 'join' && isElastic(draft.policy)
    const about = refused
      ? t('The policy hires its workers itself')
      : t('Worker {worker}', { worker: event.worker + 1 })
    return { label: workerEventWords()[kind], about, disabled: refused, act: () => add(event) }
  }
  const phase = newPhase(draft, at)
  const items: MenuEntry[] = [
    ...(['crash', 'hang', 'leave', 'join'] as const).map(ofWorker),
    { rule: 'rules' },
    { label: t('Another policy takes over'), about: faultWords(draft, phase), act: () => add(phase) },
    { rule: 'stages' },
    ...draft.stages.map((stage): MenuEntry => {
      const { id, name } = stage
      const twice = draft.stages.some((other) => other.name === name && other.id !== id)
      return {
        label: t('{stage} gets {pace}', { stage: twice ? `${name} (${id})` : name, pace: speedWords(SLOWER) }),
        act: () => add(newSlowdownAt(session, time, stage)),
      }
    }),
  ]
  return (
    <div ref={root}>
      <MenuList
        id={id}
        label={t('At {time}', { time: clock(time) })}
        items={items}
        style={style}
        close={() => close(added)}
        leave={() => close(null)}
      />
    </div>
  )
}

/** Returns the place of a popup at a point of the window: below it, or above it if there is more room. A press elsewhere closes it. */
export function usePlace(x: number, y: number, width: number, shut: () => void) {
  const root = useRef<HTMLDivElement>(null)
  const latest = useRef(shut)
  latest.current = shut
  useEffect(() => onPressElsewhere(root, () => latest.current()), [])
  const above = y > innerHeight / 2
  const style: CSSProperties = {
    position: 'fixed',
    zIndex: 40,
    left: Math.max(8, Math.min(x, innerWidth - width - 8)),
    right: 'auto',
    ...(above ? { top: 'auto', bottom: innerHeight - y + 6 } : { top: y + 6 }),
    maxHeight: (above ? y : innerHeight - y) - 20,
  }
  return { root, style }
}
