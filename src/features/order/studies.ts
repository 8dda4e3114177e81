import type { Studies } from '../../runs/remote/studies.ts'

export const orderStudies: Studies = {
  key: 'order',
  figures: async (trace) => (await import('./study/orderCost.ts')).orderFigures(trace),
}
