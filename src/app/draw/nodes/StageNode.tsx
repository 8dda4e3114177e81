import { Handle, type NodeProps, Position } from '@xyflow/react'
import { memo, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { MAX_NAME } from '../../../scenario/model/limits.ts'
import type { SourceKind } from '../../../scenario/model/sources.ts'
import { useLanguage } from '../../base/page/language.ts'
import { useSession } from '../../session/useSession.ts'
import { endRename, startRename } from '../editing/actions.ts'
import { canvasStore, focusNode, livePipeline, mountCard } from '../editing/canvasStore.ts'
import { sourceGlyph } from '../shapes/sourceShapes.ts'
import { FollowerButton, NodeLinks } from './NodeLinks.tsx'
import type { EndNodeType, StageNodeType } from './pipelineNodes.ts'

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
            <span
              className="stage-card-name"
              dir="auto"
              title={data.name}
              onDoubleClick={() => startRename(session, id)}
            >
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

/** The source: a circle with a picture of its arrivals, a caption, and the number of jobs that have arrived. */
export const SourceNode = memo(function SourceNode({ id, data, selected }: NodeProps<EndNodeType>) {
  useLanguage()
  const live = useLiveText('source')
  return (
    <>
      <div className="pipeline-end" data-selected={selected}>
        <Glyph kind={data.glyph} />
      </div>
      <div className="pipeline-caption" data-side={data.side}>
        <span>{data.caption}</span>
        <span className="pipeline-live" ref={live} />
      </div>
      <NodeLinks id={id} name={t('the source')} data={data} />
    </>
  )
})

/** The sink. The run writes the text below it. */
export const SinkNode = memo(function SinkNode({ id, data, selected }: NodeProps<EndNodeType>) {
  const session = useSession()
  useLanguage()
  const live = useLiveText('sink', data.caption)
  const aimed = useStore(canvasStore(session), (state) => state.connecting?.to === id)
  return (
    <>
      <div className="pipeline-end is-sink" data-selected={selected} data-aimed={aimed}>
        <Glyph kind="sink" />
      </div>
      <div className="pipeline-caption" data-side={data.side}>
        <span className="pipeline-live" ref={live} />
      </div>
      <Handle type="target" position={Position.Left} isConnectableStart={false} className="card-target" />
    </>
  )
})

/** Returns a ref for an element whose text the run writes. Before a run it has the text `before`. */
function useLiveText(end: 'source' | 'sink', before = '') {
  const session = useSession()
  const host = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const element = host.current
    if (element !== null) element.textContent = before
    const live = livePipeline(session)
    live[end] = element
    return () => {
      if (live[end] === element) live[end] = null
    }
  }, [end, before, session])
  return host
}

function Glyph({ kind }: { readonly kind: SourceKind | 'sink' }) {
  return (
    <svg className="glyph" viewBox="0 0 20 20" aria-hidden="true" data-kind={kind}>
      <path d={kind === 'sink' ? 'M5 10h10M11 6l4 4-4 4' : sourceGlyph(kind)} />
    </svg>
  )
}
