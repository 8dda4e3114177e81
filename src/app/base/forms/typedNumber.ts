import { numbersOf } from '../../../language/numbers.ts'

/** Numbers as people type them: `1,500.5` in English is `1 500,5` in Russian. */

const half = numbersOf({ minimumFractionDigits: 1 })

/** Returns whether decimals follow a comma in the language of the page. */
export function commaIsPoint(): boolean {
  return half(0.5).includes(',')
}

/** Returns a typed number as JavaScript writes it. Other text comes back unchanged. */
export function plainNumber(text: string): string {
  if (!commaIsPoint()) return text.trim().replaceAll(',', '')
  return text
    .trim()
    .replaceAll(/(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))/g, '')
    .replaceAll(',', '.')
}

/** Returns a number as text for a field, without separators between thousands. */
export function typedNumber(value: number): string {
  return commaIsPoint() ? String(value).replace('.', ',') : String(value)
}
