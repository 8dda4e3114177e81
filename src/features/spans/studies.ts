import type { JobContext, Studies } from '../../runs/remote/studies.ts'
import type { SpanChoice } from './read/spanJobs.ts'
import type { createSpanReading } from './study/importSpans.ts'

/** The same thread keeps the spans that it has read for another choice. */
function jobs() {
  let reading: Promise<ReturnType<typeof createSpanReading>> | null = null
  const spans = () => {
    reading ??= import('./study/importSpans.ts').then(({ createSpanReading }) => createSpanReading())
    return reading
  }
  return {
    openSpans: async (
      { file, name, choice }: { file: Blob; name: string; choice: SpanChoice },
      { progress }: JobContext,
    ) => (await spans()).open(file, name, choice, progress),
    chooseSpans: async (choice: SpanChoice) => (await spans()).choose(choice),
  }
}

type SpanJobs = ReturnType<typeof jobs>
declare module '../../runs/remote/jobs.ts' {
  interface Jobs extends SpanJobs {}
}

export const spanStudies: Studies = { key: 'spans', jobs }
