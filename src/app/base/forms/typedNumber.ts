import { numbersOf } from '../../../language/numbers.ts'

/** Numbers as a person types them: `1,500.5` to an English reader is `1 500,5` to a Russian one, and neither is to lose a figure by it. */

const half = numbersOf({ minimumFractionDigits: 1 })

/** Whether a comma stands before the decimals, in the language that is spoken. */
export function commaIsPoint(): boolean {
  return half(0.5).includes(',')
}

/** The number alone, as JavaScript writes it, or what is still wrong with it. */
export function plainNumber(text: string): string {
  if (!commaIsPoint()) return text.trim().replaceAll(',', '')
  return text
    .trim()
    .replaceAll(/(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))/g, '')
    .replaceAll(',', '.')
}

/** To be typed over, so without marks between thousands. */
export function typedNumber(value: number): string {
  return commaIsPoint() ? String(value).replace('.', ',') : String(value)
}
