import { Handle, Position } from '@xyflow/react'
import type { ComponentProps, MouseEvent } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { addParallelStage, addStageOnLink, unlinkStages } from '../editing/actions.ts'
import { canvasStore, linkKey } from '../editing/canvasStore.ts'
import { type EndData, type LinkWay, type Meeting, problemId, type StageData } from './pipelineNodes.ts'

type Props = { readonly id: string; readonly name: string; readonly data: StageData | EndData }

/** What a node shows of its links: how several meet, a handle for a new one, buttons on outgoing links, and problems. */
export function NodeLinks({ id, name, data }: Props) {
  const { startX, startY, ways, flow, problem } = data
  return (
    <>
      <MeetingMark kind={data.into} side="in" flow={flow} />
      <MeetingMark kind={data.out} side="out" flow={flow} />
      {id !== 'sink' && (
        <Handle
          type="source"
          position={Position.Right}
          isConnectableEnd={false}
          className="card-source"
          style={{ left: startX, top: startY }}
        />
      )}
      {ways.map((way) => (
        <LinkButtons key={way.to} id={id} name={name} way={way} />
      ))}
      {problem !== null && (
        <p className="fault-note" id={problemId(id)}>
          {problem}
        </p>
      )}
    </>
  )
}

const meetings = (): Readonly<Record<NonNullable<Meeting>, string>> => ({
  copy: t('A copy to each'),
  route: t('One way each, by weight'),
  merge: t('Take each job as it comes'),
  all: t('Wait for all parts of a job'),
})

/** A bar if jobs take all of these links, a diamond if each job takes one. */
function MeetingMark({
  kind,
  side,
  flow,
}: {
  readonly kind: Meeting
  readonly side: 'in' | 'out'
  readonly flow: StageData['flow']
}) {
  if (kind === null || flow === null) return null
  return (
    <i
      className="meeting"
      data-kind={kind === 'copy' || kind === 'all' ? 'bar' : 'diamond'}
      data-side={side}
      data-flow={flow}
      title={meetings()[kind]}
    />
  )
}

function LinkButtons({ id, name, way }: { readonly id: string; readonly name: string; readonly way: LinkWay }) {
  const session = useSession()
  const { to, x, y, problem } = way
  const key = linkKey([id, to])
  const shown = useStore(canvasStore(session), (state) => state.linkUnderPointer === key)
  const picked = useStore(canvasStore(session), (state) => state.link === key)
  const isNextToSelection = useStore(scenarioStore(session), ({ selected }) => selected === id || selected === to)
  return (
    <>
      <LinkButton
        way={way}
        path={PLUS}
        onPress={() => addStageOnLink(session, [id, to])}
        className="add-stage nodrag nopan"
        data-shown={shown || picked || isNextToSelection}
        data-link={key}
        label={t('Add a stage between {name} and {name2}', { name, name2: way.name })}
        aria-keyshortcuts="Delete"
        onDoubleClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          if (event.key !== 'Delete' && event.key !== 'Backspace') return
          event.preventDefault()
          event.stopPropagation()
          unlinkStages(session, [id, to])
        }}
        onFocus={() => canvasStore(session).setState({ linkUnderPointer: key })}
        onBlur={() => canvasStore(session).setState({ linkUnderPointer: null })}
      />
      {picked && (
        <LinkButton
          way={way}
          path="M3 3l6 6M9 3l-6 6"
          onPress={() => unlinkStages(session, [id, to])}
          className="add-stage cut-link nodrag nopan"
          data-shown
          label={t('Remove the link from {name} to {name2}', { name, name2: way.name })}
        />
      )}
      {problem !== null && (
        <p className="fault-note on-link" style={{ left: x, top: y }}>
          {problem}
        </p>
      )}
    </>
  )
}

const PLUS = 'M6 2v8M2 6h8'

/** The button beside a selected card, from which a further link branches off. */
export function FollowerButton({
  id,
  data: { name, startX, startY, upright },
}: {
  readonly id: string
  readonly data: StageData
}) {
  const session = useSession()
  return (
    <LinkButton
      way={{ x: startX, y: startY, upright }}
      path={PLUS}
      onPress={() => addParallelStage(session, id)}
      className="add-stage add-follower nodrag nopan"
      data-shown
      label={t('Add a stage after {name}', { name })}
    />
  )
}

type LinkButtonProps = ComponentProps<'button'> & {
  readonly way: Pick<LinkWay, 'x' | 'y' | 'upright'>
  readonly label: string
  readonly path: string
  readonly onPress: () => void
}

function LinkButton({ way: { x, y, upright }, label, path, onPress, ...others }: LinkButtonProps) {
  const onClick = (event: MouseEvent) => {
    event.stopPropagation()
    onPress()
  }
  return (
    <button
      type="button"
      data-control="editing"
      data-upright={upright}
      aria-label={label}
      title={label}
      style={{ left: x, top: y }}
      onClick={onClick}
      {...others}
    >
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  )
}
