import { roomPlanOf } from './plans.ts'
import { failureOf, report } from './failing.ts'
export { failureOf, roomPlanOf, report }
export const last = { rows: 0 }
export { MadeUpTime } from './madeUpTime.ts'
