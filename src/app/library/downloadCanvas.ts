import { download, fileName } from '../download.ts'
import { drawn, scenarioStore } from '../scenarioStore.ts'
import { textOf } from './entries.ts'

/** What is on the canvas as a file, for where the library does not take it. */
export async function downloadCanvas(): Promise<void> {
  const scenario = drawn(scenarioStore.getState())
  await download(fileName(scenario.title, '.scenario.json'), [textOf(scenario)])
}
