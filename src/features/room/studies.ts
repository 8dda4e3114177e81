import type { Studies } from '../../runs/remote/studies.ts'
import type { OpenCarrier } from './protocol/carrier.ts'
import { createRoomEngine } from './protocol/roomEngine.ts'

/** The client of brokers is fetched only for those who open a room. */
const openCarrier: OpenCarrier = async (...how) => (await import('./brokerClient/openCarrier.ts')).openCarrier(...how)

export const roomStudies: Studies = {
  key: 'room',
  conduct: ({ room }, environment, options) =>
    room === undefined ? null : createRoomEngine(room, openCarrier, environment, options),
}
