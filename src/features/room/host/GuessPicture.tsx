import { currentPalette } from '../../../app/base/page/theme.ts'
import { useDrawing } from '../../../app/base/ui/useDrawing.ts'
import { t } from '../../../language/translate.ts'
import type { RoomQuestion } from '../protocol/roundMessages.ts'
import { guessColumns } from './guessColumns.ts'
import { mountGuessHistogram } from './guessHistogram.ts'

interface Props {
  readonly question: RoomQuestion
  readonly guesses: readonly number[]
  readonly right: readonly number[]
}

/** How many guessed what, beside what happened. */
export function GuessPicture({ question, guesses, right }: Props) {
  const columns = guessColumns(question, guesses, right)
  const host = useDrawing(mountGuessHistogram, (drawing) => drawing.update({ palette: currentPalette(), columns, rightNote: t('what happened') }))
  const words = columns.map(({ name, count, right: is }) => (is ? t('{name}: {n}, what happened', { name, n: count }) : t('{name}: {n}', { name, n: count })))
  return <div ref={host} className="class-histogram" role="img" aria-label={t('Guesses. {columns}', { columns: words.join('; ') })} />
}
