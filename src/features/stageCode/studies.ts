import type { Studies } from '../../runs/remote/studies.ts'
import { createStageEngine } from './threads/stageEngine.ts'

export const stageCodeStudies: Studies = {
  key: 'stageCode',
  conduct: ({ threads }, environment, options) =>
    threads === undefined ? null : createStageEngine(threads, environment, options),
}
