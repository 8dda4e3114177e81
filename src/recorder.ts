// The entry `apportion/record` of the package: what the pools of other packages do, as a run.

export type { JobLine, Recording } from './features/spans/record/recording.ts'
export { type Pool, type RecordOptions, record } from './features/spans/record/watchPools.ts'
