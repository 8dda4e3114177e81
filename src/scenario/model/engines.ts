import { t } from '../../language/translate.ts'

/** In real time a run uses the machine's cores and cannot be repeated exactly. `room` needs an address. `where` follows a verb: "in the room". */
export const engines = {
  simulation: { name: () => t('Simulation'), where: () => t('in the simulation'), realTime: false },
  threads: { name: () => t('Web Workers'), where: () => t('on Web Workers'), realTime: true },
  room: { name: () => t('Room'), where: () => t('in the room'), realTime: true },
} as const

export type EngineName = keyof typeof engines

export const engineNames = Object.keys(engines) as EngineName[]

export const ownEngines = engineNames.filter((name) => name !== 'room')

export function isRealTime(engine: EngineName): boolean {
  return engines[engine].realTime
}
