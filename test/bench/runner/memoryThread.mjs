import { workerData } from 'node:worker_threads'

const { serve } = await import(workerData.worker)
serve({ add: (k) => k + 1, double: (k) => 2 * k })
