import { expose } from 'comlink'
import { createConductor } from './engine/conductor/conductor.ts'
import { liveness, trustOwnScripts } from './engine/threads/liveness.ts'
import { pageEnvironment } from './engine/threads/pageEnvironment.ts'
import { speak } from './language/translate.ts'
import { createRemoteEngine } from './runs/remote/remoteEngine.ts'
import { codeLoaderOf, sayingSo } from './runs/remote/studies.ts'
import { studies } from './studies.ts'

trustOwnScripts()
// The thread that owns scheduler and queues. It starts the pool, or uses one elsewhere. Ending it ends the pool.
const remote = createRemoteEngine((input, deciding) => {
  const environment = pageEnvironment()
  const options = { file: input.file ?? null, loadCode: sayingSo(codeLoaderOf(studies), deciding) }
  for (const { conduct } of studies) {
    const engine = conduct?.(input, environment, options)
    if (engine) return engine
  }
  return createConductor(environment, options)
})
expose({ ...remote, speak, ...liveness })
