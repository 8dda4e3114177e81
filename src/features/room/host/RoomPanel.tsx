import './room.css'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { CopyField } from '../../../app/base/ui/CopyField.tsx'
import { QrCode } from '../../../app/base/ui/QrCode.tsx'
import { Table } from '../../../app/base/ui/Table.tsx'
import { chooseEngine } from '../../../app/session/run/opening.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { editOrShowProblems, scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { setWorkers } from '../../../scenario/edit/edits.ts'
import { MAX_REAL_WORKERS } from '../../../scenario/model/limits.ts'
import { count, duration } from '../../../views/drawing/format.ts'
import { ClassPart } from './ClassPart.tsx'
import { roundStore } from './hostQuestion.ts'
import { linkForDevices, type RoomDevice, roomStore, unreachable } from './hostRoom.ts'
import { deviceName, emptyRoomWords, linkWords, presentWords } from './roomWords.ts'

/** The room as its host sees it: how to join, its devices, and a button that uses all of them for the run. */
export function RoomPanel() {
  const session = useSession()
  const { link, problem, devices, refused } = useStore(roomStore(session))
  const seats = useStore(runStore(session), ({ room }) => room?.seats ?? 0)
  // The present round comes before the code for late devices.
  const asked = useStore(roundStore(session), ({ round }) => round !== null)
  const trouble = linkWords(link, problem)
  return (
    <article className="panel-part room" aria-label={t('Room')}>
      <header>
        <h2>{t('Room')}</h2>
        <span className="soft" role="status">
          {devices.length > 0 && presentWords(devices)}
        </span>
      </header>
      {trouble !== null && (
        <p className="warning" role="alert">
          {trouble}
        </p>
      )}
      {refused > 0 && (
        <p className="warning" role="alert">
          {t('The room is full: {n, plural, one {# more device} other {# more devices}} could not join.', {
            n: refused,
          })}
        </p>
      )}
      {seats > 0 && <UseAll seats={seats} />}
      {asked && <ClassPart />}
      <Invitation />
      {!asked && devices.length > 0 && <ClassPart />}
      {devices.length > 0 ? (
        <DeviceTable devices={devices} />
      ) : (
        link === 'up' && <p className="soft">{emptyRoomWords()}</p>
      )}
    </article>
  )
}

function Invitation() {
  const session = useSession()
  const link = linkForDevices(session)
  const why = unreachable(session)
  if (link === null)
    return (
      <p className="soft">{t('The host link has no token for devices. Give them the join link that came with it.')}</p>
    )
  return (
    <>
      <QrCode link={link} />
      <CopyField label={t('Link to join')} text={link} />
      {why !== null && <p className="warning">{why}</p>}
    </>
  )
}

function UseAll({ seats }: { readonly seats: number }) {
  const session = useSession()
  const workers = useStore(scenarioStore(session), ({ draft }) => draft.workers)
  const { engine, phase } = useStore(runStore(session))
  const n = Math.min(seats, MAX_REAL_WORKERS)
  if (engine === 'room' && workers === n) return null
  return (
    <Button
      className="button room-all"
      disabled={phase === 'running'}
      onClick={() =>
        editOrShowProblems(session, (now) => setWorkers(now, n), 'workers') && chooseEngine(session, 'room')
      }
      text={t('Use {n, plural, one {the # worker} other {all # workers}}', { n })}
    />
  )
}

const MAX_ROWS = 100

/** The devices of the room, each with its threads, its round trip, and what its browser lacks. */
function DeviceTable({ devices }: { readonly devices: readonly RoomDevice[] }) {
  const shown = devices.slice(0, MAX_ROWS)
  const latest = devices.filter(({ build }) => build !== 'node').at(-1)?.build
  const lacksOf = ({ lacks, build }: RoomDevice) =>
    build === 'node' || build === latest ? lacks : [...lacks, t('runs another version of this page; reload it there')]
  return (
    <div className="room-devices">
      <Table heads={[t('Device'), t('Threads'), t('Round trip'), t('Lacks')]}>
        {shown.map((device) => (
          <tr key={device.id}>
            <td dir="auto">{deviceName(device)}</td>
            <td>{count(device.threads)}</td>
            <td>{device.roundTrip === null ? '–' : duration(device.roundTrip)}</td>
            <td className="soft">{lacksOf(device).join(', ')}</td>
          </tr>
        ))}
      </Table>
      {devices.length > MAX_ROWS && <p className="soft">{t('and {more} more', { more: devices.length - MAX_ROWS })}</p>}
    </div>
  )
}
