import { Background, BackgroundVariant, ReactFlow, type ReactFlowProps, ReactFlowProvider } from '@xyflow/react'
import { t } from '../../../language/translate.ts'
import { repaint } from '../../session/page/painter.ts'
import { runStore } from '../../session/run/runStore.ts'
import { part, type Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { ChooseBox } from './ChooseBox.tsx'
import { ChosenBar } from './ChosenBar.tsx'
import { WorkerStops } from './WorkerStops.tsx'
import '@xyflow/react/dist/base.css'
import { type DependencyList, type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { linearLinks } from '../../../scenario/model/linearStages.ts'
import { controlStore } from '../../base/page/hiddenControls.ts'
import { useLanguage } from '../../base/page/language.ts'
import { currentPalette, themeStore } from '../../base/page/theme.ts'
import { askWorker } from '../../session/page/showing.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { addStageUnder, link } from '../editing/actions.ts'
import './canvas.css'
import '../nodes/links.css'
import '../nodes/nodes.css'
import { type Size, useCoarsePointer, useSize } from '../../base/page/useSize.ts'
import { canvasStore, canvasView, linkKey, selectNode, toggleChosen } from '../editing/canvasStore.ts'
import { placedProblems } from '../editing/draftProblems.ts'
import { canvasKey, keyHelp, nodeIdOf, nodeKey, tabKey } from '../editing/editingKeys.ts'
import { arrange } from '../layout/layout.ts'
import type { Arrangement, Placed } from '../layout/places.ts'
import { DrawnLink, LinkEdge, type PipelineEdge, pipelineEdges } from '../nodes/LinkEdge.tsx'
import { keepSame, type PipelineNode, pipelineNodes, placesOf, reconciled, withDrag } from '../nodes/pipelineNodes.ts'
import { SinkNode, SourceNode, StageNode } from '../nodes/StageNode.tsx'
import { CanvasControls, CanvasHint } from './CanvasControls.tsx'
import { hintAtScene } from './hintAtScene.ts'
import { useDragging, usePinch } from './useDragging.ts'
import { useOverlay, workerHintAt, workerUnder } from './useOverlay.ts'
import { MIN_ZOOM, useArrangement, useInset, useView } from './useView.ts'

// Fetched when the person first points at the canvas, selects something, or runs it.
const nodeTypes = { stage: StageNode, source: SourceNode, sink: SinkNode }
const edgeTypes = { link: LinkEdge }

/** The editable pipeline. What a run paints on it goes through `livePipeline`. */
export function PipelineCanvas() {
  const session = useSession()
  const host = useRef<HTMLDivElement>(null)
  const size = useSize(host, sizeBefore)
  const announcement = useStore(canvasStore(session), (state) => state.announcement)
  const choosesSeveral = useStore(canvasStore(session), (state) => state.choosing || state.chosen.length > 1)
  // Without editing, it is a picture.
  const isPicture = useStore(controlStore, ({ hidden }) => hidden.has('editing'))
  const [pointed, setPointed] = useState<HTMLElement | null>(null)
  useEffect(
    () =>
      host.current === null
        ? undefined
        : hintAtScene(session, host.current, (at, scene) => workerHintAt(session, at, scene)),
    [session],
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that bubble up from the cards
    <div
      className="pipeline-canvas"
      ref={host}
      inert={isPicture}
      tabIndex={-1}
      onKeyDown={(event) => canvasKey(session, event)}
      onPointerEnter={(event) => setPointed(event.currentTarget)}
    >
      {size !== null && (
        <ReactFlowProvider>
          <Canvas size={size} whole={isPicture} />
        </ReactFlowProvider>
      )}
      {pointed !== null && <ChooseBox element={pointed} />}
      {choosesSeveral && <ChosenBar />}
      {!isPicture && <CanvasHint />}
      <p id="pipeline-keys" hidden>
        {keyHelp()}
      </p>
      <p className="pipeline-message" aria-live="polite">
        {announcement}
      </p>
    </div>
  )
}

/** Returns the size of the placeholder in a prerendered page, so that the pipeline is not laid out twice. */
function sizeBefore(): Size | null {
  const host = document.querySelector('.page[inert] .stage')
  return host && { width: host.clientWidth, height: host.clientHeight }
}

interface CanvasProps {
  readonly size: Size
  /** Whether all of the pipeline is shown, however small. */
  readonly whole: boolean
}

function Canvas({ size, whole }: CanvasProps) {
  const session = useSession()
  const scenarios = scenarioStore(session)
  const canvas = canvasStore(session)
  const draft = useStore(scenarios, (state) => state.draft)
  const draftProblems = useStore(scenarios, (state) => state.draftProblems)
  const chosen = useStore(canvas, (state) => state.chosen)
  const selectedLink = useStore(canvas, (state) => state.link)
  const selected = useStore(scenarios, (state) => state.selected)
  const connecting = useStore(canvas, (state) => state.connecting)
  const choosing = useStore(canvas, (state) => state.choosing)
  const ran = useStore(runStore(session), (state) => state.run !== null)
  const latestArrangement = useRef<Arrangement | null>(null)
  const arrangementNow = useCallback(() => latestArrangement.current ?? arrange([], size), [size])
  const { drag, preview, handlers } = useDragging(arrangementNow)
  // Equal places keep their object, so that an edit of one stage does not change the other links and places.
  const places = useKept<readonly Placed[]>(keepSame, () => placesOf(draft, preview), [draft, preview])
  const line = useMemo(() => places.map(({ id }) => id), [places])
  const links = useKept(keepSame, () => (preview === null ? draft.links : linearLinks(preview)), [draft, preview])
  const coarse = useCoarsePointer()
  const inset = useInset(size, coarse)
  const arrangement = useArrangement(places, links, size, inset)
  latestArrangement.current = arrangement
  canvasView(session).arrangement = arrangement
  const problems = useMemo(() => placedProblems(draft, draftProblems), [draft, draftProblems])
  const stored = useStore(themeStore, (state) => state.palette)
  const palette = useMemo(() => stored ?? currentPalette(), [stored])
  // The texts on nodes and links depend on the language.
  const language = useLanguage()
  const shown = { draft, line, links, arrangement, palette, selected, chosen, link: selectedLink, problems, coarse }
  const nodesAtRest = useKept<PipelineNode[]>(reconciled, () => pipelineNodes(shown), [
    ...Object.values(shown),
    language,
  ])
  const nodes = useMemo(() => withDrag(nodesAtRest, drag), [nodesAtRest, drag])
  const draggedIds = drag === null ? '' : [...drag.keys()].join(' ')
  const edges = useKept<PipelineEdge[]>(
    reconciled,
    () => pipelineEdges({ ...shown, dragged: draggedIds.split(' '), connecting }),
    [draft, links, arrangement, problems, selectedLink, draggedIds, connecting, language],
  )

  const view = useView(draft, arrangement, size, inset, whole)
  const overlay = useOverlay()
  const { pinching, fingers } = usePinch()
  const flow = useRef<HTMLDivElement>(null)
  /** Enlarges what fingers touch by as much as the canvas is zoomed out. */
  const unzoom = useCallback(
    (zoom: number) => flow.current?.style.setProperty('--unzoom', String(Math.max(1, 1 / zoom))),
    [],
  )
  useEffect(() => unzoom(view.first.zoom), [unzoom, view.first.zoom])
  // biome-ignore lint/correctness/useExhaustiveDependencies: painted again whenever nodes have changed
  useEffect(() => repaint(session), [nodes, session])
  return (
    <>
      <ReactFlow<PipelineNode, PipelineEdge>
        ref={flow}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        defaultViewport={view.first}
        minZoom={MIN_ZOOM}
        maxZoom={2}
        aria-label={t('Pipeline')}
        ariaLabelConfig={noDescriptions}
        disableKeyboardA11y
        elementsSelectable={false}
        elevateNodesOnSelect={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        panActivationKeyCode={null}
        zoomActivationKeyCode={null}
        zoomOnDoubleClick={false}
        zoomOnScroll={false}
        className={choosing ? 'is-choosing' : coarse && !view.pans ? 'is-still' : ''}
        panOnDrag={view.pans || !coarse || pinching}
        panOnScroll={view.pans}
        preventScrolling={view.pans}
        // If the whole pipeline is visible, dragging near the edge does not pan.
        autoPanOnNodeDrag={view.pans}
        autoPanOnConnect={view.pans}
        nodeDragThreshold={4}
        onlyRenderVisibleElements={places.length > MANY}
        connectionRadius={30}
        connectionLineComponent={DrawnLink}
        {...handlers}
        {...fingers}
        {...steadyHandlers(session)}
        onKeyDown={(event) => keyOnNode(session, event, arrangement)}
        onFocus={view.reveal}
        onMove={(_, { zoom }) => {
          unzoom(zoom)
          repaint(session)
        }}
        onMoveEnd={view.moved}
        attributionPosition="bottom-right"
      >
        <Background variant={BackgroundVariant.Dots} gap={18} size={2} color="var(--dots)" />
      </ReactFlow>
      <div className="pipeline-overlay" ref={overlay} />
      {ran && <WorkerStops />}
      <CanvasControls onFit={view.showAll} />
    </>
  )
}

/** Returns what `make` returns. `keep` puts the objects of the last value in place of equal new ones. */
function useKept<T>(keep: (last: T | null, now: T) => T, make: () => T, deps: DependencyList): T {
  const last = useRef<T | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller lists what `make` depends on
  const value = useMemo(() => keep(last.current, make()), deps)
  last.current = value
  return value
}

/** With more stages than this only visible ones are rendered: each costs time in every frame of a drag. */
const MANY = 64

/** A new link must lead at least this far, in pixels of the canvas. */
const MIN_REACH = 60

/** React Flow's own descriptions of keys do not apply here. Ours stand below the canvas. */
const noDescriptions = { 'node.a11yDescription.default': '', 'edge.a11yDescription.default': '' }

type SteadyHandlers = Pick<
  ReactFlowProps<PipelineNode, PipelineEdge>,
  'onNodeClick' | 'onPaneClick' | 'onConnect' | 'onConnectEnd' | 'onEdgeClick' | 'onEdgeMouseEnter' | 'onEdgeMouseLeave'
>

/** Returns handlers that stay the same for a session: a new one would render every node and link. */
const steadyHandlers = part((session): SteadyHandlers => {
  const canvas = canvasStore(session)
  return {
    onNodeClick: (event, { id, type }) => {
      const worker = workerUnder(session, event)
      if (type === 'stage' && (event.shiftKey || canvas.getState().choosing)) toggleChosen(session, id)
      else if (worker !== null) askWorker(session, worker)
      else selectNode(session, id)
    },
    onPaneClick: () => selectNode(session, null),
    onEdgeClick: (_, { source, target }) => {
      selectNode(session, null)
      canvas.setState({ link: linkKey([source, target]) })
    },
    onConnect: ({ source, target }) => link(session, source, target),
    // A link dropped beside all cards leads to a new stage there.
    onConnectEnd: (event, { fromNode, toNode, from }) => {
      if (fromNode === null || toNode !== null || from === null) return
      const { clientX, clientY } = 'changedTouches' in event ? event.changedTouches[0] : event
      const to = canvasView(session).pointAt?.(clientX, clientY)
      if (to !== undefined && Math.hypot(to.x - from.x, to.y - from.y) > MIN_REACH)
        addStageUnder(session, clientX, clientY, fromNode.id)
    },
    onEdgeMouseEnter: (_, { source, target }) => canvas.setState({ linkUnderPointer: linkKey([source, target]) }),
    onEdgeMouseLeave: () => canvas.setState({ linkUnderPointer: null }),
  }
})

/** Handles keys of a node only if the node itself has the focus, and not a button or a name in it. */
function keyOnNode(session: Session, event: KeyboardEvent, arrangement: Arrangement): void {
  const id = nodeIdOf(event.target)
  if (id !== null) nodeKey(session, event, id, arrangement)
  if (!event.defaultPrevented) tabKey(session, event)
}
