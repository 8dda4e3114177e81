import { Table } from '../../../app/base/tables/Table.tsx'
import { t } from '../../../language/translate.ts'
import { count, duration } from '../../../views/drawing/format.ts'
import type { RoomDevice } from './roomStore.ts'
import { deviceName, lackWords } from './roomWords.ts'

/** More rows than these do not help anybody. */
const MOST_ROWS = 100

/** Who is in the room: each device with its threads, how far it is, and what its browser lacks. */
export function DeviceTable({ devices }: { readonly devices: readonly RoomDevice[] }) {
  const shown = devices.slice(0, MOST_ROWS)
  const lacks = [...new Set(shown.flatMap((device) => device.lacks))]
  return (
    <div className="room-devices">
      <Table
        heads={[
          t('Device'),
          { text: t('Threads'), about: t('Each thread on loan is one worker.') },
          { text: t('Round trip'), about: t('From the device to the broker and back, as last measured') },
          t('Lacks'),
        ]}
      >
        {shown.map((device) => (
          <tr key={device.id}>
            <td dir="auto">{deviceName(device)}</td>
            <td>{count(device.threads)}</td>
            <td>{device.roundTrip === null ? '–' : duration(device.roundTrip)}</td>
            <td className="soft">{device.lacks.map((lack) => lacks.indexOf(lack) + 1).join(', ')}</td>
          </tr>
        ))}
      </Table>
      {devices.length > MOST_ROWS && <p className="soft">{t('and {n, plural, one {# more} other {# more}}', { n: devices.length - MOST_ROWS })}</p>}
      {lacks.length > 0 && (
        <ol className="soft" aria-label={t('What browsers lack')}>
          {lacks.map((lack) => (
            <li key={lack}>
              <code>{lack}</code>: {lackWords(lack)}
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
