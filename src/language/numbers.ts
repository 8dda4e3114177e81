import { catalogue } from './translate.ts'

/** Writes numbers as the language that is spoken does. A format is made once for each language: making one takes longer than a frame may spend on words. */
export function numbersOf(options: Intl.NumberFormatOptions): (x: number) => string {
  let spoken = ''
  let format = new Intl.NumberFormat('en', options)
  return (x) => {
    const { locale } = catalogue()
    if (locale !== spoken) {
      spoken = locale
      format = new Intl.NumberFormat(locale, options)
    }
    return format.format(x)
  }
}
