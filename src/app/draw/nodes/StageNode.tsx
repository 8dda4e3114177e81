import { Handle, type NodeProps, Position } from '@xyflow/react'
import { memo, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { MAX_NAME } from '../../../scenario/model/limits.ts'
import { useLanguage } from '../../base/page/language.ts'
import { useSession } from '../../session/useSession.ts'
import { endRename, startRename } from '../editing/actions.ts'
import { canvasStore, focusNode, mountCard } from '../editing/canvasStore.ts'
import { FollowerButton, NodeLinks } from './NodeLinks.tsx'
import type { StageNodeType } from './pipelineNodes.ts'

/** The card of a stage: its name, its mean service time, and the place for what the run paints. */
export const StageNode = memo(function StageNode({ id, data, selected }: NodeProps<StageNodeType>) {
  const session = useSession()
  const language = useLanguage()
  const host = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is mounted with words
  useEffect(() => (host.current === null ? undefined : mountCard(session, id, host.current)), [id, language])
  const renaming = useStore(canvasStore(session), (state) => state.renaming === id)
  const aimed = useStore(canvasStore(session), (state) => state.connecting?.to === id)
  return (
    <>
      <div
        className="stage-card"
        data-selected={selected}
        data-aimed={aimed}
        data-faulty={data.problem !== null}
        style={{ '--stage': data.colour } as React.CSSProperties}
      >
        <div className="stage-card-head">
          <i className="stage-card-mark" style={{ background: data.mark }} />
          {renaming ? (
            <NameInput id={id} name={data.name} />
          ) : (
            // The same by keyboard is Enter or F2 on the card itself.
            // biome-ignore lint/a11y/noStaticElementInteractions: a short cut for the pointer
            <span className="stage-card-name" dir="auto" title={data.name} onDoubleClick={() => startRename(session, id)}>
              {data.name}
            </span>
          )}
          <span className="stage-card-mean">{data.mean}</span>
        </div>
        <div className="stage-card-live" ref={host} />
      </div>
      <Handle type="target" position={Position.Left} isConnectableStart={false} className="card-target" />
      <NodeLinks id={id} name={data.name} data={data} />
      {selected && <FollowerButton id={id} data={data} />}
    </>
  )
})

function NameInput({ id, name }: { readonly id: string; readonly name: string }) {
  const session = useSession()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.focus({ preventScroll: true })
    input.current?.select()
  }, [])
  const end = (text: string | null) => {
    endRename(session, id, text)
    focusNode(session, id)
  }
  return (
    <input
      ref={input}
      className="stage-card-input nodrag nopan nowheel"
      aria-label={t('Name of the stage')}
      defaultValue={name}
      maxLength={MAX_NAME}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter') end(event.currentTarget.value)
        if (event.key === 'Escape') end(null)
      }}
      onBlur={(event) => endRename(session, id, event.currentTarget.value)}
    />
  )
}
