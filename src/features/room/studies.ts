import type { Studies } from '../../runs/remote/studies.ts'
import { openCarrier } from './brokerClient/openCarrier.ts'
import { createRoomEngine } from './protocol/roomEngine.ts'

export const roomStudies: Studies = {
  key: 'room',
  conduct: ({ room }, environment, options) =>
    room === undefined ? null : createRoomEngine(room, openCarrier, environment, options),
}
