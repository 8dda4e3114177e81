import { t } from '../../language/translate.ts'

/** In real time a run uses the machine's cores and cannot be repeated exactly. `room` needs an address. `where` follows a verb: "in the room". */
export const engines = {
  simulation: { name: () => t('Simulation'), where: () => t('in the simulation'), realTime: false },
  threads: { name: () => t('Web Workers'), where: () => t('on Web Workers'), realTime: true },
  /** Functions of a person's own, run by the package: the page only opens what they left. */
  functions: { name: () => t('Own functions'), where: () => t('on functions of your own'), realTime: true },
  room: { name: () => t('Room'), where: () => t('in the room'), realTime: true },
} as const

export type EngineName = keyof typeof engines

export const engineNames = Object.keys(engines) as EngineName[]

/** The engines that any page can start. */
export const ownEngines = engineNames.filter((name) => name !== 'room' && name !== 'functions')

export function isRealTime(engine: EngineName): boolean {
  return engines[engine].realTime
}
