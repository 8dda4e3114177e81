import type { SentencePart } from '../../../measures/decisions/speech.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { currentPalette } from '../page/theme.ts'
import { marked } from '../words/Words.tsx'

/** Text in which stages have their colours, and technical words their tooltips. */
export function ColouredText({ parts }: { readonly parts: readonly SentencePart[] }) {
  return marked(
    parts.map(({ stage, worker, text }, i) =>
      stage === undefined && worker === undefined ? (
        text
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence have no other name
        <strong key={i} style={stage === undefined ? undefined : { color: stageColour(currentPalette(), stage).text }}>
          {text}
        </strong>
      ),
    ),
  )
}
