import { Handle, type NodeProps, Position } from '@xyflow/react'
import { memo, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { SourceKind } from '../../../scenario/model/sources.ts'
import { useLanguage } from '../../base/page/language.ts'
import { useSession } from '../../session/useSession.ts'
import { canvasStore, livePipeline } from '../editing/canvasStore.ts'
import { sourceGlyph } from '../shapes/sourceShapes.ts'
import { NodeLinks } from './NodeLinks.tsx'
import type { EndNodeType } from './pipelineNodes.ts'

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

const SINK = 'M5 10h10M11 6l4 4-4 4'

/** The picture of an end, in a box of 20. */
function Glyph({ kind }: { readonly kind: SourceKind | 'sink' }) {
  return (
    <svg className="glyph" viewBox="0 0 20 20" aria-hidden="true" data-kind={kind}>
      <path d={kind === 'sink' ? SINK : sourceGlyph(kind)} />
    </svg>
  )
}
