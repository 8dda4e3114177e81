import { Background, BackgroundVariant, ReactFlow, type ReactFlowProps, ReactFlowProvider } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { scenarioStore, select } from '../scenarioStore.ts'
import { currentPalette, themeStore } from '../theme.ts'
import { link } from './actions.ts'
import './canvas.css'
import './links.css'
import './nodes.css'
import { CanvasControls } from './CanvasControls.tsx'
import { canvasStore } from './canvasStore.ts'
import { SinkNode, SourceNode } from './EndNode.tsx'
import { keyHelp, nodeIdOf, nodeKey } from './keys.ts'
import { DrawnLink, LinkEdge } from './LinkEdge.tsx'
import { type Arrangement, arrange, type Placed, type Size } from './layout.ts'
import { type PipelineNode, pipelineEdges, pipelineNodes, placesOf, reconciled, samePlaces } from './pipelineNodes.ts'
import { StageNode } from './StageNode.tsx'
import { useCoarsePointer } from './useCoarsePointer.ts'
import { useDragging } from './useDragging.ts'
import { useOverlay } from './useOverlay.ts'
import { useSize } from './useSize.ts'
import { LEAST_ZOOM, useView } from './useView.ts'
import { roomIn } from './view.ts'

interface Props {
  /** Pixels at the top that something else covers: the pipeline is laid out below them. */
  readonly insetTop?: number
  /** Nodes stand elsewhere, or there are others: what is drawn above them has to be drawn again. */
  readonly onRedraw?: () => void
}

const nodeTypes = { stage: StageNode, source: SourceNode, sink: SinkNode }
const edgeTypes = { link: LinkEdge }

/** The pipeline as a person draws it. Its live parts are handed to the run by way of `livePipeline`. */
export function PipelineCanvas({ insetTop = 0, onRedraw }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const size = useSize(host)
  const said = useStore(canvasStore, (state) => state.said)
  return (
    <div className="pipeline-canvas" ref={host}>
      {size !== null && (
        <ReactFlowProvider>
          <Canvas size={size} insetTop={insetTop} onRedraw={onRedraw} />
        </ReactFlowProvider>
      )}
      <p id="pipeline-keys" hidden>
        {keyHelp}
      </p>
      <p className="pipeline-said" aria-live="polite">
        {said}
      </p>
    </div>
  )
}

function Canvas({ size, insetTop, onRedraw }: { readonly size: Size; readonly insetTop: number; readonly onRedraw: (() => void) | undefined }) {
  const scenario = useStore(scenarioStore, (state) => state.scenario)
  const selected = useStore(scenarioStore, (state) => state.selected)
  const connecting = useStore(canvasStore, (state) => state.connecting)
  const latest = useRef<Arrangement | null>(null)
  const arrangementNow = useCallback(() => latest.current ?? arrange([], size), [size])
  const { drag, preview, handlers } = useDragging(arrangementNow)
  // The same line again is the same object, so that an edit of one stage leaves every link and place as they are.
  const placed = useRef<readonly Placed[]>([])
  placed.current = useMemo(() => samePlaces(placed.current, placesOf(scenario, preview)), [scenario, preview])
  const places = placed.current
  const line = useMemo(() => places.map(({ id }) => id), [places])
  const arrangement = useMemo(() => arrange(places, roomIn(size, insetTop)), [places, size, insetTop])
  latest.current = arrangement

  const stored = useStore(themeStore, (state) => state.palette)
  const palette = useMemo(() => stored ?? currentPalette(), [stored])
  const coarse = useCoarsePointer()
  const shown = useRef<PipelineNode[]>([])
  const nodes = useMemo(() => {
    shown.current = reconciled(shown.current, pipelineNodes({ scenario, line, arrangement, palette, selected, drag, coarse }))
    return shown.current
  }, [scenario, line, arrangement, palette, selected, drag, coarse])
  const edges = useMemo(() => pipelineEdges(line, connecting), [line, connecting])

  const view = useView(scenario, arrangement, size, insetTop)
  const overlay = useOverlay(size, onRedraw)
  const flow = useRef<HTMLDivElement>(null)
  /** What has to keep its size for a finger, however small the pipeline is shown, is enlarged by as much. */
  const unzoom = useCallback((zoom: number) => flow.current?.style.setProperty('--unzoom', String(Math.max(1, 1 / zoom))), [])
  useEffect(() => unzoom(view.first.zoom), [unzoom, view.first.zoom])
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again whenever nodes have changed
  useEffect(() => onRedraw?.(), [nodes, onRedraw])
  return (
    <>
      <ReactFlow<PipelineNode>
        ref={flow}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        defaultViewport={view.first}
        minZoom={LEAST_ZOOM}
        maxZoom={2}
        aria-label="Pipeline"
        disableKeyboardA11y
        elementsSelectable={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        panActivationKeyCode={null}
        zoomActivationKeyCode={null}
        zoomOnDoubleClick={false}
        zoomOnScroll={false}
        className={coarse && !view.pans ? 'is-still' : ''}
        panOnDrag={view.pans || !coarse}
        panOnScroll={view.pans}
        preventScrolling={view.pans}
        nodeDragThreshold={4}
        connectionRadius={30}
        connectionLineComponent={DrawnLink}
        {...handlers}
        {...still}
        onKeyDown={(event) => keyOnNode(event, arrangement)}
        onFocus={view.reveal}
        onMove={(_, { zoom }) => {
          unzoom(zoom)
          onRedraw?.()
        }}
        onMoveEnd={view.moved}
        attributionPosition="bottom-right"
      >
        <Background variant={BackgroundVariant.Dots} gap={18} size={2} color="var(--dots)" />
      </ReactFlow>
      <div className="pipeline-overlay" ref={overlay} />
      <CanvasControls onFit={view.fit} />
    </>
  )
}

/** Handlers that never change: a new one would draw every node and link anew. */
const still: Pick<ReactFlowProps<PipelineNode>, 'onNodeClick' | 'onPaneClick' | 'onConnect' | 'onEdgeMouseEnter' | 'onEdgeMouseLeave'> = {
  onNodeClick: (_, { id }) => select(id),
  onPaneClick: () => select(null),
  onConnect: ({ source, target }) => link(source, target),
  onEdgeMouseEnter: (_, { source }) => canvasStore.setState({ linkUnderPointer: source }),
  onEdgeMouseLeave: () => canvasStore.setState({ linkUnderPointer: null }),
}

/** Keys mean what they mean only where a node itself has the focus, not a button or a name inside it. */
function keyOnNode(event: KeyboardEvent, { boxes }: Arrangement): void {
  const id = nodeIdOf(event.target)
  if (id !== null) nodeKey(event, id, boxes)
}
