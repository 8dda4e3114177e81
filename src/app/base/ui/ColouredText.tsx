import type { SentencePart } from '../../../measures/decisions/speech.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { currentPalette } from '../page/theme.ts'

/** Text in which stages have their colours. */
export function ColouredText({ parts }: { readonly parts: readonly SentencePart[] }) {
  return parts.map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence have no other name
    <Piece key={i} part={part} />
  ))
}

function Piece({ part }: { readonly part: SentencePart }) {
  if (part.stage !== undefined) return <strong style={{ color: stageColour(currentPalette(), part.stage).text }}>{part.text}</strong>
  return part.worker === undefined ? part.text : <strong>{part.text}</strong>
}
